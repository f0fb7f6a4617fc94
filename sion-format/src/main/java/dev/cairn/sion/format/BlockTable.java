package dev.cairn.sion.format;

import dev.cairn.sion.field.FieldIo;
import dev.cairn.sion.field.Range;
import java.util.function.IntToLongFunction;

/**
 * META2: how many blocks each task of a physical file uses, and how many bytes it has in each.
 *
 * <p>On disk the table is a full rectangle of tasks times blocks. In memory only used blocks have
 * an entry, so a task with many blocks does not increase the size of its neighbours' entries. An
 * entry is the logical position at which the block ends, which makes finding a position a binary
 * search.
 */
public final class BlockTable {
  /** The most entries that one table can have in memory. */
  private static final long MAX_ENTRIES = Integer.MAX_VALUE - 8;

  private static final Range UNUSED =
      new Range(UnusedBlocks.MINUS_ONE.value(), UnusedBlocks.ZERO.value());

  private final int maxBlocks;
  private final IntToLongFunction chunkSizes;

  /** Where the entries of each task begin, and behind them where those of the last one end. */
  private final int[] firstEntry;

  private long[] ends = {};
  private long unusedEntry;

  private BlockTable(int taskCount, int maxBlocks, IntToLongFunction chunkSizes) {
    this.firstEntry = new int[taskCount + 1];
    this.maxBlocks = maxBlocks;
    this.chunkSizes = chunkSizes;
  }

  /**
   * A table to read into.
   *
   * @param maxBlocks META1's number of blocks, already compared with the length of the file
   * @param chunkSizes the most bytes that a block of each task holds
   */
  public static BlockTable blank(int taskCount, int maxBlocks, IntToLongFunction chunkSizes) {
    return new BlockTable(taskCount, maxBlocks, chunkSizes);
  }

  /** The table of what tasks have written: {@code bytes[task][block]}. */
  public static BlockTable of(long[][] bytes, IntToLongFunction chunkSizes) {
    int maxBlocks = 1;
    for (long[] task : bytes) {
      maxBlocks = Math.max(maxBlocks, task.length);
    }
    BlockTable table = new BlockTable(bytes.length, maxBlocks, chunkSizes);
    for (int task = 0; task < bytes.length; task++) {
      table.count(task, bytes[task].length);
    }
    table.allocate();
    for (int task = 0; task < bytes.length; task++) {
      for (int block = 0; block < bytes[task].length; block++) {
        table.put(task, block, bytes[task][block]);
      }
    }
    return table;
  }

  /** How many bytes META2 takes on disk, without the mapping behind it. */
  public static long size(int taskCount, int maxBlocks) {
    return 8L * taskCount * (1L + maxBlocks);
  }

  /**
   * The field list.
   *
   * @param unused what stands in the entries of blocks that a task did not use
   */
  public static <X extends Exception> void fields(
      FieldIo<X> io, BlockTable table, UnusedBlocks unused) throws X {
    for (int task = 0; task < table.taskCount(); task++) {
      Range counts = new Range(1, Math.min(table.maxBlocks, MAX_ENTRIES - table.firstEntry[task]));
      long blocks =
          io.i64At("number of blocks of local rank", task, table.blockCount(task), counts);
      table.count(task, (int) blocks);
    }
    table.allocate();
    for (int block = 0; block < table.maxBlocks; block++) {
      table.row(io, block, unused);
    }
  }

  private <X extends Exception> void row(FieldIo<X> io, int block, UnusedBlocks unused) throws X {
    String name = "bytes in block " + block + " of local rank";
    for (int task = 0; task < taskCount(); task++) {
      if (block < blockCount(task)) {
        Range sizes = new Range(0, chunkSizes.applyAsLong(task));
        put(task, block, io.i64At(name, task, bytes(task, block), sizes));
      } else {
        unusedEntry = io.i64At(name, task, unused.value(), UNUSED);
      }
    }
  }

  public int taskCount() {
    return firstEntry.length - 1;
  }

  /** The largest number of blocks of any task. */
  public int maxBlocks() {
    return maxBlocks;
  }

  /** The largest number of blocks in an entry. META1 should hold the same number. */
  public int largestBlockCount() {
    int largest = 0;
    for (int task = 0; task < taskCount(); task++) {
      largest = Math.max(largest, blockCount(task));
    }
    return largest;
  }

  public int blockCount(int task) {
    return firstEntry[task + 1] - firstEntry[task];
  }

  /** The length of the task's stream. */
  public long size(int task) {
    return blockStart(task, blockCount(task));
  }

  /** The logical position at which a block begins. */
  public long blockStart(int task, int block) {
    return block == 0 ? 0 : ends[firstEntry[task] + block - 1];
  }

  public long bytes(int task, int block) {
    return ends[firstEntry[task] + block] - blockStart(task, block);
  }

  /** The value read from an entry of an unused block; 0 if there is no such entry. */
  public long unusedEntry() {
    return unusedEntry;
  }

  /** The block that holds the byte at a logical position, which must be inside the stream. */
  public int blockAt(int task, long position) {
    int low = firstEntry[task];
    int high = firstEntry[task + 1] - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - firstEntry[task];
  }

  /** The tasks must be counted in order. */
  private void count(int task, int blocks) {
    firstEntry[task + 1] = firstEntry[task] + blocks;
  }

  /** Allocates the entries for the block counts. A second call changes nothing. */
  private void allocate() {
    int count = firstEntry[taskCount()];
    if (ends.length != count) {
      ends = new long[count];
    }
  }

  /** The blocks of a task must be added in order. */
  private void put(int task, int block, long bytes) {
    ends[firstEntry[task] + block] = blockStart(task, block) + bytes;
  }
}
