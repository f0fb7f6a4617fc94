package dev.cairn.sion.file;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Closes several things, all of them even if one fails. */
public final class CloseAll {
  private CloseAll() {}

  public static void close(List<? extends Closeable> open) throws IOException {
    IOException failure = null;
    for (Closeable each : open) {
      try {
        each.close();
      } catch (IOException next) {
        if (failure == null) {
          failure = next;
        } else {
          failure.addSuppressed(next);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Closes what is of no use after {@code failure}, which keeps what fails now. */
  public static void after(Throwable failure, Closeable... open) {
    for (Closeable each : open) {
      try {
        each.close();
      } catch (IOException | RuntimeException second) {
        failure.addSuppressed(second);
      }
    }
  }
}
