package dev.cairn.sion;

import dev.cairn.sion.format.MetaOne;
import dev.cairn.sion.format.TaskColumns;
import dev.cairn.sion.layout.BlockGeometry;
import java.util.Arrays;
import java.util.List;

/** The plan of one physical file. */
final class FileLayout {
  private final int[] tasks;
  private final TaskColumns columns;
  private final BlockGeometry geometry;

  private FileLayout(int[] tasks, TaskColumns columns, BlockGeometry geometry) {
    this.tasks = tasks;
    this.columns = columns;
    this.geometry = geometry;
  }

  /** Every task's chunk is rounded up to whole blocks, so no two tasks share one. */
  static FileLayout independent(int[] tasks, List<TaskRequest> requests, int blockSize) {
    long[] ranks =
        Arrays.stream(tasks).mapToLong(task -> requests.get(task).globalRank()).toArray();
    long[] requested =
        Arrays.stream(tasks).mapToLong(task -> requests.get(task).chunkSize()).toArray();
    long[] chunkSizes = BlockGeometry.roundUp(requested, blockSize);
    return new FileLayout(
        tasks,
        new TaskColumns(ranks, chunkSizes),
        BlockGeometry.of(MetaOne.size(tasks.length), blockSize, chunkSizes));
  }

  int taskCount() {
    return tasks.length;
  }

  /** The number, in the whole multifile, of the task with a local rank. */
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
}
