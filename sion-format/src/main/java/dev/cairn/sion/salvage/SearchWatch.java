package dev.cairn.sion.salvage;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hears how far the search through files that were never closed has come. It reads holes like
 * everything else, since Java cannot ask where they are, so somebody must say when it is enough.
 * The thread that opens the view calls it.
 */
@FunctionalInterface
public interface SearchWatch {
  /** Some minutes of reading holes, which are read from memory. */
  long USUAL_LIMIT = 1L << 40;

  /**
   * So many more bytes were read.
   *
   * @throws IOException to give up the file that is being searched
   */
  void searched(long byteCount) throws IOException;

  /** Gives up when more bytes than these have been read. */
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
