package dev.cairn.sion.salvage;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Observes the search through unclosed files, and limits it. Holes are read like data, since Java
 * has no call that locates them, so a search can take long. The thread that opens the view calls
 * this.
 */
@FunctionalInterface
public interface SearchWatch {
  /** The default limit, 1 TiB: some minutes if the file is mostly holes. */
  long USUAL_LIMIT = 1L << 40;

  /**
   * Called after {@code byteCount} more bytes were read.
   *
   * @throws IOException to end the search of the current file, which then counts as lost
   */
  void searched(long byteCount) throws IOException;

  /** Ends the search when more than {@code limit} bytes have been read. */
  static SearchWatch upTo(long limit) {
    AtomicLong total = new AtomicLong();
    return byteCount -> {
      if (total.addAndGet(byteCount) > limit) {
        throw new IOException(
            String.format(
                "more than %d bytes were searched for the ends of tasks, most of them zeros. Search"
                    + " further if the file is not just a hole.",
                limit));
      }
    };
  }
}
