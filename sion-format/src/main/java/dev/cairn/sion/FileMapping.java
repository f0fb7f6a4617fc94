package dev.cairn.sion;

import dev.cairn.sion.layout.Placement;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/** The rule that gives each task its physical file. Immutable; any thread may share one. */
public final class FileMapping {
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
   * Equal shares of consecutive tasks. What does not divide goes to the last file: 5 tasks in 2
   * files are 2 and 3.
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

  /** The same rule for all tasks but the last, which joins task 0 in its file. */
  public FileMapping withExtraTask() {
    return new FileMapping(
        text + ", and an extra task",
        taskCount -> {
          Placement others = rule.apply(taskCount - 1);
          return Placement.chosen(taskCount, task -> others.file(task < taskCount - 1 ? task : 0));
        },
        choice);
  }

  /**
   * What the function of {@link #byGroup} or {@link #byFile} says of a task, and 0 where there is
   * none. Programs in several processes compare it, lest they follow different functions.
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
}
