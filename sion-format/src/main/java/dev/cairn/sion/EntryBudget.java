package dev.cairn.sion;

import java.nio.file.Path;

/**
 * How many lengths of blocks are kept of one file that was not closed. A file with a hole in it can
 * claim any number of blocks without holding a byte, so the memory for them has a limit.
 */
final class EntryBudget {
  static final int MOST = 1 << 25;

  private final Path file;
  private int left = MOST;

  EntryBudget(Path file) {
    this.file = file;
  }

  /** Room for so many more lengths. */
  long[] entries(int count) throws SionException {
    take(count);
    return new long[count];
  }

  /** Counts room that the caller makes. */
  void take(int count) throws SionException {
    if (count > left) {
      throw new SionException.TooManyBlocks(file, MOST);
    }
    left -= count;
  }
}
