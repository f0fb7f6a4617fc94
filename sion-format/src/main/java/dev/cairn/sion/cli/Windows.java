package dev.cairn.sion.cli;

import dev.cairn.command.Progress;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads what is larger than memory through one window. */
final class Windows {
  private Windows() {}

  /** Fills the window with the bytes from a position on. */
  @FunctionalInterface
  interface Reading {
    void readFrom(long position) throws IOException;
  }

  /** Reads {@code size} bytes; the limit of {@code window} is what is wanted next. */
  static void read(long size, ByteBuffer window, Progress progress, Reading reading)
      throws IOException {
    for (long next = 0; next < size; next += window.limit()) {
      window.clear().limit((int) Math.min(window.capacity(), size - next));
      reading.readFrom(next);
      progress.advance(window.limit());
    }
  }
}
