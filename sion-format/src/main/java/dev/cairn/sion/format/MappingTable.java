package dev.cairn.sion.format;

import dev.cairn.sion.field.FieldIo;
import dev.cairn.sion.field.Range;

/**
 * Where each task of a multifile lies: in which physical file, and as which local rank. It stands
 * behind META2 of file 0.
 */
public final class MappingTable {
  /** What a serial writer puts behind META2. */
  public static final MappingTable NO_TASKS = new MappingTable(new int[0], new int[0]);

  private static final Range LOCAL_RANKS = new Range(0, FileHeader.MAX_TASK_COUNT - 1L);

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
  public static <X extends Exception> int countField(FieldIo<X> io, int taskCount) throws X {
    return io.i32("mapping size", taskCount, Range.atLeast(0));
  }

  /** How many bytes the pairs of {@code taskCount} tasks take on disk. */
  public static long size(int taskCount) {
    return 8L * taskCount;
  }

  /** The field list of the pairs. */
  public static <X extends Exception> void fields(
      FieldIo<X> io, MappingTable mapping, int fileCount) throws X {
    Range fileNumbers = new Range(0, fileCount - 1);
    for (int task = 0; task < mapping.taskCount(); task++) {
      mapping.files[task] =
          io.i32At("file number in the mapping of task", task, mapping.files[task], fileNumbers);
      mapping.localRanks[task] =
          io.i32At(
              "local rank in the mapping of task", task, mapping.localRanks[task], LOCAL_RANKS);
    }
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
}
