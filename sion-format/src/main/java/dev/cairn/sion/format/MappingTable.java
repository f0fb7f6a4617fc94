package dev.cairn.sion.format;

import java.io.IOException;

/**
 * Where each task of a multifile lies: in which physical file, and as which local rank. It stands
 * behind META2 of file 0.
 */
public final class MappingTable {
  /** What a serial writer puts behind META2. */
  public static final MappingTable NO_TASKS = new MappingTable(new int[0], new int[0]);

  private final int[] files;
  private final int[] localRanks;

  /** A table of tasks by their numbers. */
  public MappingTable(int[] files, int[] localRanks) {
    this.files = files;
    this.localRanks = localRanks;
  }

  /** A table to read into; its size must have been compared with the length of the file. */
  public static MappingTable blank(int taskCount) {
    return new MappingTable(new int[taskCount], new int[taskCount]);
  }

  /** The field list of the count that opens the record. */
  public static int countField(FieldIo io, int taskCount) throws IOException {
    return io.i32("mapping size", taskCount, Range.atLeast(0));
  }

  /** How many bytes the pairs of {@code taskCount} tasks take on disk. */
  public static long size(int taskCount) {
    return 8L * taskCount;
  }

  /** The field list of the pairs. */
  public static void fields(FieldIo io, MappingTable mapping, int fileCount) throws IOException {
    io.i32Pairs(mapping.new Pairs(fileCount));
  }

  public int taskCount() {
    return files.length;
  }

  public int file(int task) {
    return files[task];
  }

  public int localRank(int task) {
    return localRanks[task];
  }

  private final class Pairs implements PairColumn {
    private final int fileCount;

    Pairs(int fileCount) {
      this.fileCount = fileCount;
    }

    @Override
    public String name() {
      return "mapping of task";
    }

    @Override
    public String firstName() {
      return "file number in the mapping of task";
    }

    @Override
    public String secondName() {
      return "local rank in the mapping of task";
    }

    @Override
    public int count() {
      return taskCount();
    }

    @Override
    public int first(int task) {
      return files[task];
    }

    @Override
    public int second(int task) {
      return localRanks[task];
    }

    @Override
    public void set(int task, int file, int localRank) {
      files[task] = file;
      localRanks[task] = localRank;
    }

    @Override
    public Range firstRange() {
      return new Range(0, fileCount - 1);
    }

    @Override
    public Range secondRange() {
      return new Range(0, FileHeader.MAX_TASK_COUNT - 1);
    }
  }
}
