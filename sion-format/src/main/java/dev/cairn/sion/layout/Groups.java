package dev.cairn.sion.layout;

import java.util.Arrays;

/**
 * Which tasks of one physical file share file-system blocks: runs of consecutive local ranks. The
 * chunks of a group lie back to back, and only the group as a whole is aligned. Its first task is
 * its collector, which may write for the whole group.
 */
public final class Groups {
  /** Pairs of a number of tasks and the most collectors for this number of tasks or more. */
  private static final int[][] MOST_COLLECTORS = {
    {512, 32}, {256, 16}, {128, 8}, {64, 8}, {32, 8}, {16, 4}
  };

  /** The first task of each group, and behind them the number of tasks. */
  private final int[] firsts;

  private Groups(int[] firsts) {
    this.firsts = firsts;
  }

  /** Groups of {@code groupSize} tasks each, whatever they ask for; the last may be smaller. */
  public static Groups ofExactly(int groupSize, int taskCount) {
    int groupCount = (taskCount - 1) / groupSize + 1;
    int[] firsts = new int[groupCount + 1];
    Arrays.setAll(firsts, group -> (int) Math.min((long) group * groupSize, taskCount));
    return new Groups(firsts);
  }

  /**
   * Groups of about {@code groupSize} tasks that ask for about the same number of bytes.
   *
   * @throws ArithmeticException if the chunks add up to more than 2^63 bytes
   */
  public static Groups ofAbout(int groupSize, long[] chunkSizes, int blockSize) {
    long collectors = (chunkSizes.length - 1L) / groupSize + 1;
    return shared(chunkSizes, blockSize, Math.min(collectors, blockCount(chunkSizes, blockSize)));
  }

  /**
   * Few groups that ask for about the same number of bytes. Their number follows from the number of
   * tasks.
   *
   * @throws ArithmeticException if the chunks add up to more than 2^63 bytes
   */
  public static Groups few(long[] chunkSizes, int blockSize) {
    long useful = Math.min(blockCount(chunkSizes, blockSize), chunkSizes.length);
    return shared(chunkSizes, blockSize, mostCollectors(chunkSizes.length, useful));
  }

  private static long mostCollectors(int taskCount, long useful) {
    for (int[] row : MOST_COLLECTORS) {
      if (taskCount >= row[0] && useful > row[1]) {
        return row[1];
      }
    }
    return useful;
  }

  /** How many blocks the chunks fill without gaps. */
  private static long blockCount(long[] chunkSizes, int blockSize) {
    return BlockGeometry.roundUp(sum(chunkSizes), blockSize) / blockSize;
  }

  /** Tasks join the group before them as long as its fair share of all bytes lets them. */
  private static Groups shared(long[] chunkSizes, int blockSize, long collectors) {
    long share = BlockGeometry.roundUp(sum(chunkSizes) / Math.max(1, collectors), blockSize);
    int[] firsts = new int[chunkSizes.length + 1];
    int groupCount = 1;
    long groupSize = chunkSizes[0];
    for (int task = 1; task < chunkSizes.length; task++) {
      if (chunkSizes[task] > share - groupSize) {
        firsts[groupCount++] = task;
        groupSize = 0;
      }
      groupSize += chunkSizes[task];
    }
    firsts[groupCount] = chunkSizes.length;
    return new Groups(Arrays.copyOf(firsts, groupCount + 1));
  }

  public int groupCount() {
    return firsts.length - 1;
  }

  public int taskCount() {
    return firsts[groupCount()];
  }

  /** The group that a task is in. */
  public int groupOf(int task) {
    int found = Arrays.binarySearch(firsts, task);
    return found >= 0 ? found : -found - 2;
  }

  /** The collector of a group; that of the group behind the last one is the number of tasks. */
  public int first(int group) {
    return firsts[group];
  }

  /** Whether any task shares its blocks with another. */
  public boolean areShared() {
    return groupCount() < taskCount();
  }

  /**
   * The chunk sizes that put the chunks of a group back to back: as asked for, but the last of each
   * group takes what is missing to a whole block.
   *
   * @throws ArithmeticException if a group's chunks add up to more than 2^63 bytes
   */
  public long[] backToBack(long[] chunkSizes, int blockSize) {
    long[] stored = chunkSizes.clone();
    for (int group = 0; group < groupCount(); group++) {
      long sum = sum(Arrays.copyOfRange(chunkSizes, firsts[group], firsts[group + 1]));
      stored[firsts[group + 1] - 1] += BlockGeometry.roundUp(sum, blockSize) - sum;
    }
    return stored;
  }

  /**
   * The chunk sizes that let each collector's chunk hold what its whole group asks for; the others
   * keep whole blocks of their own, which stay empty.
   *
   * @throws ArithmeticException if a group's chunks add up to more than 2^63 bytes
   */
  public long[] merged(long[] chunkSizes, int blockSize) {
    long[] stored = BlockGeometry.roundUp(chunkSizes, blockSize);
    for (int group = 0; group < groupCount(); group++) {
      long sum = sum(Arrays.copyOfRange(chunkSizes, firsts[group], firsts[group + 1]));
      stored[firsts[group]] = BlockGeometry.roundUp(sum, blockSize);
    }
    return stored;
  }

  private static long sum(long[] sizes) {
    long sum = 0;
    for (long size : sizes) {
      sum = Math.addExact(sum, size);
    }
    return sum;
  }
}
