package dev.cairn.sion.format;

import java.io.IOException;

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
  public static void fields(FieldIo io, TaskColumns columns) throws IOException {
    io.i64s(new Column("global rank of local rank", columns.globalRanks, Range.ANY));
    io.i64s(new Column("chunk size of local rank", columns.chunkSizes, Range.atLeast(0)));
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

  private static final class Column implements LongColumn {
    private final String name;
    private final long[] values;
    private final Range range;

    Column(String name, long[] values, Range range) {
      this.name = name;
      this.values = values;
      this.range = range;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int count() {
      return values.length;
    }

    @Override
    public long get(int index) {
      return values[index];
    }

    @Override
    public void set(int index, long value) {
      values[index] = value;
    }

    @Override
    public long least(int index) {
      return range.least();
    }

    @Override
    public long most(int index) {
      return range.most();
    }
  }
}
