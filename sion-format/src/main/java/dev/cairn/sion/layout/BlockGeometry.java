package dev.cairn.sion.layout;

/**
 * Where the chunks of one physical file lie. Block 0 begins at the first multiple of the block size
 * behind META1, and every block holds one chunk of each task, in order of local rank.
 */
public final class BlockGeometry {
  /** A start is stored for every sixteenth task. Others are computed from there by adding sizes. */
  private static final int STEP = 16;

  private final long[] chunkSizes;

  /** Where the chunks of every sixteenth task begin in block 0. */
  private final long[] starts;

  /** Where block 0 ends. */
  private final long end;

  private BlockGeometry(long[] chunkSizes, long[] starts, long end) {
    this.chunkSizes = chunkSizes;
    this.starts = starts;
    this.end = end;
  }

  /**
   * The geometry of a file.
   *
   * @param metaOneSize the bytes kept for META1
   * @param blockSize to which block 0 is aligned
   * @param chunkSizes the room of each task in a block; kept, and not to be changed any more
   * @throws ArithmeticException if block 0 ends behind 2^63 bytes
   */
  public static BlockGeometry of(long metaOneSize, int blockSize, long[] chunkSizes) {
    long[] starts = new long[chunkSizes.length / STEP + 1];
    long next = roundUp(metaOneSize, blockSize);
    starts[0] = next;
    for (int task = 0; task < chunkSizes.length; task++) {
      if (task % STEP == 0) {
        starts[task / STEP] = next;
      }
      next = Math.addExact(next, chunkSizes[task]);
    }
    return new BlockGeometry(chunkSizes, starts, next);
  }

  /**
   * {@code size} rounded up to a multiple of {@code blockSize}.
   *
   * @throws ArithmeticException if that is more than 2^63 - 1
   */
  public static long roundUp(long size, int blockSize) {
    long rest = size % blockSize;
    return rest == 0 ? size : Math.addExact(size, blockSize - rest);
  }

  /** Each of the sizes rounded up to a multiple of {@code blockSize}. */
  public static long[] roundUp(long[] sizes, int blockSize) {
    long[] rounded = new long[sizes.length];
    for (int index = 0; index < sizes.length; index++) {
      rounded[index] = roundUp(sizes[index], blockSize);
    }
    return rounded;
  }

  public int taskCount() {
    return chunkSizes.length;
  }

  /** The room of a task in every block. */
  public long chunkSize(int task) {
    return chunkSizes[task];
  }

  /** From the start of one block to the start of the next; C calls it globalskip. */
  public long stride() {
    return end - starts[0];
  }

  /** Where the task's chunk in block 0 begins. */
  public long start(int task) {
    long start = starts[task / STEP];
    for (int before = task - task % STEP; before < task; before++) {
      start += chunkSizes[before];
    }
    return start;
  }

  /**
   * Where the task's chunk in a block begins.
   *
   * @throws ArithmeticException if it begins behind 2^63 bytes
   */
  public long chunkStart(int task, int block) {
    return Math.addExact(start(task), Math.multiplyExact(stride(), (long) block));
  }

  /**
   * Where META2 begins behind {@code blockCount} blocks.
   *
   * @throws ArithmeticException if that is behind 2^63 bytes
   */
  public long metaTwoStart(int blockCount) {
    return Math.addExact(starts[0], Math.multiplyExact(stride(), (long) blockCount));
  }
}
