package dev.cairn.sion;

import dev.cairn.sion.layout.Placement;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/** The rule that gives each task its physical file. Immutable; any thread may share one. */
public final class FileMapping {
  private static final FileMapping AUTO =
      new FileMapping("auto", taskCount -> Placement.contiguous(taskCount, 1), task -> 0);

  private final String text;
  private final IntFunction<Placement> rule;
  private final IntUnaryOperator choice;

  private FileMapping(String text, IntFunction<Placement> rule, IntUnaryOperator choice) {
    this.text = text;
    this.rule = rule;
    this.choice = choice;
  }

  /** All tasks in one file. */
  public static FileMapping oneFile() {
    return contiguous(1);
  }

  /**
   * As many files as the ranks that write the multifile together choose when they create it, by the
   * bytes, hosts and cores of all. A program that writes alone makes one file.
   */
  public static FileMapping auto() {
    return AUTO;
  }

  /**
   * Equal shares of consecutive tasks. The last file takes the remainder: 5 tasks in 2 files are 2
   * and 3.
   */
  public static FileMapping contiguous(int fileCount) {
    return new FileMapping(
        "equal shares in " + fileCount + (fileCount == 1 ? " file" : " files"),
        taskCount -> Placement.contiguous(taskCount, fileCount),
        task -> 0);
  }

  /**
   * One file for the tasks of each group, for instance of each host. Files are numbered in the
   * order in which the groups' first tasks appear, so the group numbers themselves are free.
   */
  public static FileMapping byGroup(IntUnaryOperator groupOfTask) {
    return new FileMapping(
        "one file for each group",
        taskCount -> Placement.grouped(taskCount, groupOfTask),
        groupOfTask);
  }

  /** The file number itself, from 0 without gaps, for each task. */
  public static FileMapping byFile(IntUnaryOperator fileOfTask) {
    return new FileMapping(
        "a file chosen for each task",
        taskCount -> Placement.chosen(taskCount, fileOfTask),
        fileOfTask);
  }

  /** The file and the local rank itself for each task; the local ranks of a file have no gaps. */
  public static FileMapping byPlace(IntFunction<TaskPlace> placeOfTask) {
    return new FileMapping(
        "a place chosen for each task",
        taskCount ->
            Placement.placed(
                taskCount,
                task -> placeOfTask.apply(task).fileNumber(),
                task -> placeOfTask.apply(task).localRank()),
        task -> placeOfTask.apply(task).hashCode());
  }

  /**
   * Groups of {@code groupSize} tasks, dealt to the files in turn. The first tasks of all become
   * the groups' collectors; they can be those that run close to the storage. To be used with {@link
   * Grouping#ofExactly} of the same size. C's {@code collmsa}.
   */
  public static FileMapping collectorsFirst(int fileCount, int groupSize) {
    if (groupSize < 2) {
      throw new IllegalArgumentException(
          "a group of a collector and others has at least 2 tasks, not " + groupSize + ".");
    }
    return new FileMapping(
        String.format("groups of %d in %d files, collectors first", groupSize, fileCount),
        taskCount -> Placement.collectorsFirst(taskCount, fileCount, groupSize),
        task -> 0);
  }

  /** The same rule for all tasks but the last, which joins task 0 in its file. */
  public FileMapping withExtraTask() {
    return new FileMapping(
        text,
        taskCount -> {
          Placement others = rule.apply(taskCount - 1);
          return Placement.chosen(taskCount, task -> others.file(task < taskCount - 1 ? task : 0));
        },
        choice);
  }

  /** The same rule, described by other words. */
  public FileMapping describedAs(String words) {
    return new FileMapping(words, rule, choice);
  }

  /** Whether the ranks choose the files when they create the multifile; see {@link #auto}. */
  public boolean isAuto() {
    return this == AUTO;
  }

  /**
   * What the function of {@link #byGroup} or {@link #byFile} says of a task, and 0 where there is
   * none. Programs in several processes compare it to detect different functions.
   */
  public int choice(int task) {
    return choice.applyAsInt(task);
  }

  Placement place(int taskCount) {
    return rule.apply(taskCount);
  }

  /** The rule in words. Two rules of the same words may follow different functions. */
  @Override
  public String toString() {
    return text;
  }

  /**
   * Where a task's stream lies.
   *
   * @param fileNumber the physical file
   * @param localRank the task's number in that file
   */
  public record TaskPlace(int fileNumber, int localRank) {}
}
