package dev.cairn.sion.salvage.search;

import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.file.EntryBudget;
import dev.cairn.sion.format.BlockTable;

/** The bounds of what one task has written into an unclosed file, derived from its bytes. */
public final class TaskTrace {
  private final long[] least;
  private final Most most;
  private final String remark;

  /** The most that a task can have written. The list by blocks is made on demand. */
  public interface Most {
    long size();

    long[] bytesPerBlock(EntryBudget budget) throws SionException;
  }

  /** A trace with a remark for the report, which may be empty. */
  TaskTrace(long[] least, Most most, String remark) {
    this.least = least;
    this.most = most;
    this.remark = remark;
  }

  /** Of a task whose bytes in each block are known. */
  static TaskTrace known(long[] bytes, String remark) {
    return new TaskTrace(bytes, listed(bytes), remark);
  }

  /** Of a task whose lengths stand in META2. */
  public static TaskTrace known(BlockTable blocks, int localRank, EntryBudget budget)
      throws SionException {
    long[] bytes = budget.entries(blocks.blockCount(localRank));
    for (int block = 0; block < bytes.length; block++) {
      bytes[block] = blocks.bytes(localRank, block);
    }
    return known(bytes, "");
  }

  static Most listed(long[] bytes) {
    return new Most() {
      @Override
      public long size() {
        return sum(bytes);
      }

      @Override
      public long[] bytesPerBlock(EntryBudget budget) {
        return bytes;
      }
    };
  }

  /** Every chunk is full, as far as the task has room. */
  static Most full(TaskSpace space) {
    return new Most() {
      @Override
      public long size() {
        return space.size();
      }

      @Override
      public long[] bytesPerBlock(EntryBudget budget) throws SionException {
        long[] bytes = budget.entries(space.blockCount());
        for (int block = 0; block < bytes.length; block++) {
          bytes[block] = space.bytes(block);
        }
        return bytes;
      }
    };
  }

  private static long sum(long[] bytes) {
    long sum = 0;
    for (long inBlock : bytes) {
      sum += inBlock;
    }
    return sum;
  }

  /** The bytes in each block that were certainly written. */
  public long[] least() {
    return least;
  }

  public long leastSize() {
    return sum(least);
  }

  public Most most() {
    return most;
  }

  /** A remark for the report; may be empty. */
  public String remark() {
    return remark;
  }

  /** Whether a META2 covers all bytes that were certainly written. */
  public boolean isWithin(BlockTable blocks, int localRank) {
    for (int block = 0; block < least.length; block++) {
      long said = block < blocks.blockCount(localRank) ? blocks.bytes(localRank, block) : 0;
      if (said < least[block]) {
        return false;
      }
    }
    return true;
  }
}
