package dev.cairn.sion;

import dev.cairn.sion.layout.Groups;
import java.util.Arrays;

/**
 * The rule by which tasks of a physical file share file-system blocks; the C library calls it
 * collective mode. A group's chunks lie back to back, so that many small streams do not take a
 * block each, and ranks that write together let one of each group, its collector, write for all.
 * Immutable; any thread may share one.
 */
public final class Grouping {
  /** With fewer small tasks in a file the waste is too small to be worth a collector. */
  private static final int MANY_TASKS = 16;

  private static final Grouping NONE = new Grouping("none", (sizes, block) -> alone(sizes));

  private final String text;
  private final Rule rule;
  private final boolean merged;

  private Grouping(String text, Rule rule) {
    this(text, rule, false);
  }

  private Grouping(String text, Rule rule, boolean merged) {
    this.text = text;
    this.rule = rule;
    this.merged = merged;
  }

  /** Every task has blocks of its own. */
  public static Grouping none() {
    return NONE;
  }

  /**
   * Few groups. Their number follows from the number of tasks and their requests. C's {@code
   * collective}.
   */
  public static Grouping few() {
    return new Grouping("few", Groups::few);
  }

  /**
   * Groups of about {@code taskCount} tasks that ask for about the same number of bytes. C's {@code
   * collective,collsize=…}.
   */
  public static Grouping ofAbout(int taskCount) {
    requireTasks(taskCount);
    return new Grouping(
        "about " + taskCount, (sizes, block) -> Groups.ofAbout(taskCount, sizes, block));
  }

  /** Groups of {@code taskCount} tasks, whatever they ask for; the last may be smaller. */
  public static Grouping ofExactly(int taskCount) {
    requireTasks(taskCount);
    return new Grouping(
        "exactly " + taskCount, (sizes, block) -> Groups.ofExactly(taskCount, sizes.length));
  }

  /**
   * {@link #few} in files where 16 tasks or more, and at least half of all, ask for less than a
   * block each, and {@link #none} in others. A few tasks with very much do not count against
   * groups.
   */
  public static Grouping whereSmall() {
    return new Grouping(
        "where-small",
        (sizes, block) -> mostAreSmall(sizes, block) ? Groups.few(sizes, block) : alone(sizes));
  }

  /**
   * The same groups, each with one stream for all its tasks: the collector's. The stream does not
   * record which task wrote which bytes. C's {@code collectivemerge}.
   */
  public Grouping merged() {
    return new Grouping(text + ", merged", rule, true);
  }

  private static Groups alone(long[] chunkSizes) {
    return Groups.ofExactly(1, chunkSizes.length);
  }

  private static boolean mostAreSmall(long[] chunkSizes, int blockSize) {
    long smallCount = Arrays.stream(chunkSizes).filter(size -> size < blockSize).count();
    return smallCount >= MANY_TASKS && 2 * smallCount >= chunkSizes.length;
  }

  private static void requireTasks(int taskCount) {
    if (taskCount < 1) {
      throw new IllegalArgumentException("a group has at least 1 task, not " + taskCount + ".");
    }
  }

  boolean isNone() {
    return equals(NONE);
  }

  /** Whether all tasks of a group write one stream. */
  boolean isMerged() {
    return merged;
  }

  Groups place(long[] chunkSizes, int blockSize) {
    return rule.place(chunkSizes, blockSize);
  }

  /** Rules of the same words are the same rule. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Grouping grouping && text.equals(grouping.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The rule in words. */
  @Override
  public String toString() {
    return text;
  }

  private interface Rule {
    Groups place(long[] chunkSizes, int blockSize);
  }
}
