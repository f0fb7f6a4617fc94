package dev.cairn.sion;

import dev.cairn.sion.layout.Placement;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/** The rule that gives each task its physical file. Immutable; any thread may share one. */
public final class FileMapping {
  private final IntFunction<Placement> rule;

  private FileMapping(IntFunction<Placement> rule) {
    this.rule = rule;
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
    return new FileMapping(taskCount -> Placement.contiguous(taskCount, fileCount));
  }

  /**
   * One file for the tasks of each group, for instance of each host. Files are numbered in the
   * order in which the groups' first tasks appear, so the group numbers themselves are free.
   */
  public static FileMapping byGroup(IntUnaryOperator groupOfTask) {
    return new FileMapping(taskCount -> Placement.grouped(taskCount, groupOfTask));
  }

  /** The file number itself, from 0 without gaps, for each task. */
  public static FileMapping byFile(IntUnaryOperator fileOfTask) {
    return new FileMapping(taskCount -> Placement.chosen(taskCount, fileOfTask));
  }

  Placement place(int taskCount) {
    return rule.apply(taskCount);
  }
}
