package dev.cairn.sion.layout;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** Which physical file holds each task, and as which local rank. */
public final class Placement {
  private final int[] files;
  private final int[] localRanks;

  /** The number of tasks in each file. */
  private final int[] taskCounts;

  private Placement(int[] files, int[] localRanks, int[] taskCounts) {
    this.files = files;
    this.localRanks = localRanks;
    this.taskCounts = taskCounts;
  }

  /** Local ranks in the order of the tasks' numbers. */
  private static Placement inOrder(int[] files, int fileCount) {
    int[] localRanks = new int[files.length];
    int[] taskCounts = new int[fileCount];
    for (int task = 0; task < files.length; task++) {
      localRanks[task] = taskCounts[files[task]]++;
    }
    return new Placement(files, localRanks, taskCounts);
  }

  /** Equal shares of consecutive tasks; the last file takes the rest as well. */
  public static Placement contiguous(int taskCount, int fileCount) {
    if (fileCount < 1 || fileCount > taskCount) {
      throw new IllegalArgumentException(
          String.format(
              "%d tasks fill 1 to %d files, not %d: ask for fewer files.",
              taskCount, taskCount, fileCount));
    }
    int share = taskCount / fileCount;
    return of(taskCount, fileCount, task -> Math.min(task / share, fileCount - 1));
  }

  /** One file per group, numbered in the order in which the groups' first tasks appear. */
  public static Placement grouped(int taskCount, IntUnaryOperator groupOfTask) {
    Map<Integer, Integer> fileOfGroup = new HashMap<>();
    int[] files = new int[taskCount];
    for (int task = 0; task < taskCount; task++) {
      int nextFile = fileOfGroup.size();
      files[task] = fileOfGroup.computeIfAbsent(groupOfTask.applyAsInt(task), group -> nextFile);
    }
    return inOrder(files, fileOfGroup.size());
  }

  /** The file that a function gives for each task; every file must get at least one. */
  public static Placement chosen(int taskCount, IntUnaryOperator fileOfTask) {
    int fileCount = 0;
    for (int task = 0; task < taskCount; task++) {
      int file = fileOfTask.applyAsInt(task);
      if (file < 0 || file >= taskCount) {
        throw new IllegalArgumentException(
            String.format(
                "task %d is placed in file %d, but %d tasks fill only files 0 to %d.",
                task, file, taskCount, taskCount - 1));
      }
      fileCount = Math.max(fileCount, file + 1);
    }
    return of(taskCount, fileCount, fileOfTask).requireNoEmptyFile();
  }

  /** The file and the local rank that two functions give for each task. */
  public static Placement placed(
      int taskCount, IntUnaryOperator fileOfTask, IntUnaryOperator localRankOfTask) {
    Placement counted = chosen(taskCount, fileOfTask);
    int[] localRanks = new int[taskCount];
    Arrays.setAll(localRanks, localRankOfTask);
    return new Placement(counted.files, localRanks, counted.taskCounts).requireEachRankOnce();
  }

  /**
   * Groups of {@code groupSize} tasks, dealt to the files in turn. The first tasks of all become
   * the groups' collectors, and those behind them fill the groups one after the other.
   */
  public static Placement collectorsFirst(int taskCount, int fileCount, int groupSize) {
    int groupCount = (taskCount - 1) / groupSize + 1;
    if (fileCount < 1 || fileCount > groupCount) {
      throw new IllegalArgumentException(
          String.format(
              "%d groups fill 1 to %d files, not %d: ask for fewer files.",
              groupCount, groupCount, fileCount));
    }
    IntUnaryOperator groupOfTask =
        task -> task < groupCount ? task : (task - groupCount) / (groupSize - 1);
    IntUnaryOperator numberInGroup =
        task -> task < groupCount ? 0 : (task - groupCount) % (groupSize - 1) + 1;
    return placed(
        taskCount,
        task -> groupOfTask.applyAsInt(task) % fileCount,
        task ->
            groupOfTask.applyAsInt(task) / fileCount * groupSize + numberInGroup.applyAsInt(task));
  }

  /** The same tasks in the same files, behind the given number of helpers in each file. */
  public Placement behind(IntUnaryOperator helpersOfFile) {
    int[] shifted = new int[files.length];
    Arrays.setAll(shifted, task -> localRanks[task] + helpersOfFile.applyAsInt(files[task]));
    int[] counts = new int[taskCounts.length];
    Arrays.setAll(counts, file -> taskCounts[file] + helpersOfFile.applyAsInt(file));
    return new Placement(files, shifted, counts);
  }

  private static Placement of(int taskCount, int fileCount, IntUnaryOperator fileOfTask) {
    int[] files = new int[taskCount];
    Arrays.setAll(files, fileOfTask);
    return inOrder(files, fileCount);
  }

  private Placement requireNoEmptyFile() {
    for (int file = 0; file < taskCounts.length; file++) {
      if (taskCounts[file] == 0) {
        throw new IllegalArgumentException(
            String.format(
                "no task is placed in file %d, although file %d is used: number the files without"
                    + " gaps.",
                file, taskCounts.length - 1));
      }
    }
    return this;
  }

  private Placement requireEachRankOnce() {
    BitSet[] taken = new BitSet[fileCount()];
    Arrays.setAll(taken, file -> new BitSet());
    for (int task = 0; task < files.length; task++) {
      BitSet ranks = taken[files[task]];
      int rank = localRanks[task];
      if (rank < 0 || rank >= taskCounts[files[task]] || ranks.get(rank)) {
        throw new IllegalArgumentException(
            String.format(
                "task %d is placed as local rank %d of file %d, whose %d tasks have the local ranks"
                    + " 0 to %d, each once.",
                task, rank, files[task], taskCounts[files[task]], taskCounts[files[task]] - 1));
      }
      ranks.set(rank);
    }
    return this;
  }

  public int taskCount() {
    return files.length;
  }

  public int fileCount() {
    return taskCounts.length;
  }

  public int taskCount(int file) {
    return taskCounts[file];
  }

  public int file(int task) {
    return files[task];
  }

  public int localRank(int task) {
    return localRanks[task];
  }

  /** The tasks of each file, in order of local rank. */
  public int[][] tasksByFile() {
    int[][] tasks = new int[fileCount()][];
    Arrays.setAll(tasks, file -> new int[taskCounts[file]]);
    for (int task = 0; task < files.length; task++) {
      tasks[files[task]][localRanks[task]] = task;
    }
    return tasks;
  }
}
