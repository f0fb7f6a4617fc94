package dev.cairn.sion;

import dev.cairn.sion.format.MetaOne;
import dev.cairn.sion.format.TaskColumns;
import dev.cairn.sion.layout.BlockGeometry;
import dev.cairn.sion.layout.Groups;
import java.util.Arrays;
import java.util.List;

/** The plan of one physical file. */
final class FileLayout {
  /** The task number of a helper, which has a local rank and no stream. */
  static final int NO_TASK = -1;

  private final int[] tasks;
  private final TaskColumns columns;
  private final BlockGeometry geometry;
  private final Groups groups;
  private final long[] limits;

  private FileLayout(
      int[] tasks, TaskColumns columns, BlockGeometry geometry, Groups groups, long[] limits) {
    this.tasks = tasks;
    this.columns = columns;
    this.geometry = geometry;
    this.groups = groups;
    this.limits = limits;
  }

  /**
   * Lays out a file.
   *
   * @param tasks the numbers of its tasks, in order of local rank
   * @param requests what they ask for, in the same order
   * @throws ArithmeticException if the chunks add up to more than 2^63 bytes
   */
  static FileLayout plan(MultifileSpec spec, int[] tasks, List<TaskRequest> requests) {
    long[] ranks = requests.stream().mapToLong(TaskRequest::globalRank).toArray();
    long[] requested = requests.stream().mapToLong(TaskRequest::chunkSize).toArray();
    int blockSize = spec.blockSize().orElseThrow();
    Groups groups = spec.grouping().place(requested, blockSize);
    long[] stored =
        spec.grouping().isMerged()
            ? groups.merged(requested, blockSize)
            : groups.backToBack(requested, blockSize);
    return new FileLayout(
        tasks,
        new TaskColumns(ranks, stored),
        BlockGeometry.of(MetaOne.size(tasks.length), blockSize, stored),
        groups,
        limits(spec, groups, requested, stored));
  }

  private static long[] limits(MultifileSpec spec, Groups groups, long[] requested, long[] stored) {
    return spec.grouping().isMerged()
        ? limitsOfCollectors(groups, stored)
        : spec.chunkLimit() == MultifileSpec.ChunkLimit.REQUESTED ? requested : stored;
  }

  /** Every write goes to the chunk of the group's collector. */
  private static long[] limitsOfCollectors(Groups groups, long[] stored) {
    long[] limits = new long[stored.length];
    Arrays.setAll(limits, task -> stored[groups.first(groups.groupOf(task))]);
    return limits;
  }

  int taskCount() {
    return tasks.length;
  }

  /** The number, in the whole multifile, of the task with a local rank, or {@link #NO_TASK}. */
  int task(int localRank) {
    return tasks[localRank];
  }

  /** What META1 says of the tasks. */
  TaskColumns columns() {
    return columns;
  }

  /** Where their chunks lie. */
  BlockGeometry geometry() {
    return geometry;
  }

  /** Which of them share blocks. */
  Groups groups() {
    return groups;
  }

  /** The most bytes that a task may write into a chunk. */
  long limit(int localRank) {
    return limits[localRank];
  }
}
