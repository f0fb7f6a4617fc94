package dev.cairn.sion;

import java.util.Arrays;

/**
 * What a task has written: the bytes in each block that it used. META2 is made of these. Immutable.
 */
public final class TaskUsage {
  /** A task that wrote nothing, which counts as one empty block. */
  public static final TaskUsage EMPTY = new TaskUsage(0);

  private final long[] bytesPerBlock;

  private TaskUsage(long... bytesPerBlock) {
    this.bytesPerBlock = bytesPerBlock;
  }

  /** The usage of a task with these bytes in block 0, 1, and so on; at least one block. */
  public static TaskUsage of(long... bytesPerBlock) {
    if (bytesPerBlock.length == 0) {
      throw new IllegalArgumentException("a task uses at least one block, which may be empty.");
    }
    return new TaskUsage(bytesPerBlock.clone());
  }

  public int blockCount() {
    return bytesPerBlock.length;
  }

  public long bytesInBlock(int block) {
    return bytesPerBlock[block];
  }

  /** The bytes in all blocks. */
  public long size() {
    return Arrays.stream(bytesPerBlock).sum();
  }

  long[] bytesPerBlock() {
    return bytesPerBlock;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TaskUsage usage && Arrays.equals(bytesPerBlock, usage.bytesPerBlock);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytesPerBlock);
  }

  @Override
  public String toString() {
    return "TaskUsage" + Arrays.toString(bytesPerBlock);
  }
}
