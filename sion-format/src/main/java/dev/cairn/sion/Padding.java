package dev.cairn.sion;

import java.util.Arrays;

/** Empty blocks, which let META2 lie further behind: it follows the last block of any task. */
final class Padding {
  private Padding() {}

  /** The largest number of blocks of a task. */
  static int largest(long[][] bytesPerBlock) {
    return bytesPerBlock[longest(bytesPerBlock)].length;
  }

  /** Lets the task that needs the fewest empty blocks for it reach a number of blocks. */
  static void pad(long[][] bytesPerBlock, int blockCount, EntryBudget budget) throws SionException {
    int task = longest(bytesPerBlock);
    int missing = blockCount - bytesPerBlock[task].length;
    if (missing > 0) {
      budget.take(missing);
      bytesPerBlock[task] = Arrays.copyOf(bytesPerBlock[task], blockCount);
    }
  }

  private static int longest(long[][] bytesPerBlock) {
    int longest = 0;
    for (int task = 1; task < bytesPerBlock.length; task++) {
      if (bytesPerBlock[task].length > bytesPerBlock[longest].length) {
        longest = task;
      }
    }
    return longest;
  }
}
