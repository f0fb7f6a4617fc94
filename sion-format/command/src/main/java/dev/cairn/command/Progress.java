package dev.cairn.command;

import java.io.Closeable;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A progress line on the terminal, redrawn in place and erased when this is closed. Short work
 * shows nothing. One thread at a time.
 */
public final class Progress implements Closeable {
  /** Shows nothing. */
  public static final Progress NONE = new Progress(Optional.empty(), () -> 0, "", 0);

  private static final long NANOS_BETWEEN_PAINTS = 250_000_000;

  private final Optional<PrintWriter> terminal;
  private final LongSupplier nanoClock;
  private final String what;
  private final long totalBytes;
  private long doneBytes;
  private long nextPaint;
  private int paintedWidth;

  public Progress(Shell<?> shell, String what, long totalBytes) {
    this(shell.terminal(), System::nanoTime, what, totalBytes);
  }

  Progress(Optional<PrintWriter> terminal, LongSupplier nanoClock, String what, long totalBytes) {
    this.terminal = terminal;
    this.nanoClock = nanoClock;
    this.what = what;
    this.totalBytes = totalBytes;
    this.nextPaint = nanoClock.getAsLong() + NANOS_BETWEEN_PAINTS;
  }

  /** Adds {@code bytes} to the bytes done. */
  public void advance(long bytes) {
    doneBytes += bytes;
    terminal.ifPresent(this::paintIfDue);
  }

  private void paintIfDue(PrintWriter screen) {
    long now = nanoClock.getAsLong();
    if (now - nextPaint >= 0) {
      nextPaint = now + NANOS_BETWEEN_PAINTS;
      paint(screen);
    }
  }

  private void paint(PrintWriter screen) {
    String line =
        String.format(
            "%s: %s of %s MB",
            what, NumberFormats.megabytes(doneBytes), NumberFormats.megabytes(totalBytes));
    wipe(screen);
    screen.print(line);
    screen.flush();
    paintedWidth = line.length();
  }

  private void wipe(PrintWriter screen) {
    screen.print("\r" + " ".repeat(paintedWidth) + "\r");
  }

  @Override
  public void close() {
    if (paintedWidth > 0) {
      terminal.ifPresent(
          screen -> {
            wipe(screen);
            screen.flush();
          });
    }
  }
}
