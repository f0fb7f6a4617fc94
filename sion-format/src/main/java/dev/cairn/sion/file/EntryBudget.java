package dev.cairn.sion.file;

import dev.cairn.sion.failure.SionException;
import java.nio.file.Path;

/**
 * How many lengths of blocks are kept of one file that was not closed. A file with a hole in it can
 * claim any number of blocks without holding a byte, so the memory for them has a limit.
 */
public final class EntryBudget {
  static final int MOST = 1 << 25;

  private final Path file;
  private int left = MOST;

  public EntryBudget(Path file) {
    this.file = file;
  }

  /** Allocates {@code count} more lengths. */
  public long[] entries(int count) throws SionException {
    take(count);
    return new long[count];
  }

  /** Counts lengths that the caller allocates. */
  public void take(int count) throws SionException {
    if (count > left) {
      throw new SionException.TooManyBlocks(file, MOST);
    }
    left -= count;
  }
}
