package dev.cairn.sion.layout;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Which physical file holds each task, and as which local rank. Tasks of a file stand in the order
 * of their numbers.
 */
public final class Placement {
  private final int[] files;
  private final int[] localRanks;

  /** The number of tasks in each file. */
  private final int[] taskCounts;

  private Placement(int[] files, int fileCount) {
    this.files = files;
    this.localRanks = new int[files.length];
    this.taskCounts = new int[fileCount];
    for (int task = 0; task < files.length; task++) {
      localRanks[task] = taskCounts[files[task]]++;
    }
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
    return new Placement(files, fileOfGroup.size());
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

  private static Placement of(int taskCount, int fileCount, IntUnaryOperator fileOfTask) {
    int[] files = new int[taskCount];
    Arrays.setAll(files, fileOfTask);
    return new Placement(files, fileCount);
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
