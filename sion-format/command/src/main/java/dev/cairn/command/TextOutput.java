package dev.cairn.command;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * Text in columns, gathered and written in large pieces. Closing it writes what is left and leaves
 * the stream under it open. One thread at a time.
 */
public final class TextOutput implements Closeable {
  private static final int FULL = 1 << 16;

  private final OutputStream out;
  private final StringBuilder gathered = new StringBuilder(2 * FULL);

  public TextOutput(OutputStream out) {
    this.out = out;
  }

  public TextOutput text(String text) {
    gathered.append(text);
    return this;
  }

  public TextOutput number(long number) {
    gathered.append(number);
    return this;
  }

  /** A number right-justified in {@code width} columns, or more if it needs them. */
  public TextOutput right(long number, int width) {
    return right(Long.toString(number), width);
  }

  public TextOutput megabytes(long bytes, int width) {
    return right(NumberFormats.megabytes(bytes), width);
  }

  public TextOutput zeroFilled(long number, int width) {
    return text(NumberFormats.zeroFilled(number, width));
  }

  private TextOutput right(String text, int width) {
    for (int column = text.length(); column < width; column++) {
      gathered.append(' ');
    }
    return text(text);
  }

  /** A whole line, laid out by {@link String#format}. */
  public void line(String layout, Object... values) throws IOException {
    text(String.format(Locale.ROOT, layout, values)).line();
  }

  /** A line for each sentence, behind {@code label}. */
  public void lines(String label, List<String> sentences) throws IOException {
    for (String sentence : sentences) {
      text(label).text(sentence).line();
    }
  }

  /** Ends the line. */
  public void line() throws IOException {
    gathered.append('\n');
    if (gathered.length() >= FULL) {
      write();
    }
  }

  private void write() throws IOException {
    out.write(gathered.toString().getBytes(StandardCharsets.UTF_8));
    gathered.setLength(0);
  }

  @Override
  public void close() throws IOException {
    write();
  }
}
