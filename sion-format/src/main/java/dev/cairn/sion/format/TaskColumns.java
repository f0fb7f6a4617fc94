package dev.cairn.sion.format;

import dev.cairn.sion.field.FieldIo;
import dev.cairn.sion.field.Range;

/** META1's task part: global ranks and chunk sizes, in order of local rank. */
public final class TaskColumns {
  private final long[] globalRanks;
  private final long[] chunkSizes;

  /** The columns of tasks with these ranks and sizes; the arrays are not copied. */
  public TaskColumns(long[] globalRanks, long[] chunkSizes) {
    this.globalRanks = globalRanks;
    this.chunkSizes = chunkSizes;
  }

  /** Room for {@code taskCount} tasks; its size must have been compared with the file's before. */
  public static TaskColumns blank(int taskCount) {
    return new TaskColumns(new long[taskCount], new long[taskCount]);
  }

  /** The field list. */
  public static <X extends Exception> void fields(FieldIo<X> io, TaskColumns columns) throws X {
    row(io, "global rank of local rank", columns.globalRanks, Range.ANY);
    row(io, "chunk size of local rank", columns.chunkSizes, Range.atLeast(0));
  }

  private static <X extends Exception> void row(
      FieldIo<X> io, String name, long[] values, Range range) throws X {
    for (int index = 0; index < values.length; index++) {
      values[index] = io.i64At(name, index, values[index], range);
    }
  }

  /** The rank of a task in the whole program. */
  public long globalRank(int localRank) {
    return globalRanks[localRank];
  }

  /** The bytes that a task has in a block, as the file says. */
  public long chunkSize(int localRank) {
    return chunkSizes[localRank];
  }

  /** All chunk sizes; not to be changed. */
  public long[] chunkSizes() {
    return chunkSizes;
  }
}
