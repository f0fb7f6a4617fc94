package dev.cairn.sion.file;

import dev.cairn.sion.failure.SionException;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Empty blocks, which let META2 lie further behind: it follows the last block of any task. */
public final class Padding {
  private Padding() {}

  /** The largest number of blocks of a task. */
  public static int largest(long[][] bytesPerBlock) {
    return bytesPerBlock[longest(bytesPerBlock)].length;
  }

  /**
   * Lets one task reach a number of blocks: the one that needs the fewest empty blocks for it, or,
   * where these are several, one without data. The C library's iterator over records loses its
   * place in front of several empty blocks.
   */
  public static void pad(long[][] bytesPerBlock, int blockCount, EntryBudget budget)
      throws SionException {
    int task = padded(bytesPerBlock, blockCount);
    int missing = blockCount - bytesPerBlock[task].length;
    if (missing > 0) {
      budget.take(missing);
      bytesPerBlock[task] = Arrays.copyOf(bytesPerBlock[task], blockCount);
    }
  }

  /** Whether the padding is several empty blocks behind a task's data. */
  public static boolean followsData(long[][] bytesPerBlock, int blockCount) {
    int task = padded(bytesPerBlock, blockCount);
    return blockCount - bytesPerBlock[task].length > 1 && hasData(bytesPerBlock[task]);
  }

  private static int padded(long[][] bytesPerBlock, int blockCount) {
    int longest = longest(bytesPerBlock);
    return blockCount - bytesPerBlock[longest].length <= 1
        ? longest
        : IntStream.range(0, bytesPerBlock.length)
            .filter(task -> !hasData(bytesPerBlock[task]))
            .findFirst()
            .orElse(longest);
  }

  private static boolean hasData(long[] bytesPerBlock) {
    return Arrays.stream(bytesPerBlock).anyMatch(bytes -> bytes > 0);
  }

  public static int longest(long[][] bytesPerBlock) {
    int longest = 0;
    for (int task = 1; task < bytesPerBlock.length; task++) {
      if (bytesPerBlock[task].length > bytesPerBlock[longest].length) {
        longest = task;
      }
    }
    return longest;
  }
}
