package dev.cairn.sion;

import dev.cairn.sion.layout.Groups;

/**
 * The rule by which tasks of a physical file share file-system blocks; the C library calls it
 * collective mode. A group's chunks lie back to back, so that many small streams do not take a
 * block each, and ranks that write together let one of each group, its collector, write for all.
 * Immutable; any thread may share one.
 */
public final class Grouping {
  private static final Grouping NONE =
      new Grouping("each task by itself", Home.OWN_CHUNK, (sizes, block) -> alone(sizes));

  private final String text;
  private final Home home;
  private final Rule rule;

  private Grouping(String text, Home home, Rule rule) {
    this.text = text;
    this.home = home;
    this.rule = rule;
  }

  /** Every task has blocks of its own. */
  public static Grouping none() {
    return NONE;
  }

  /**
   * Few groups; how many, the number of tasks and what they ask for say. C's {@code collective}.
   */
  public static Grouping automatic() {
    return new Grouping("few groups", Home.OWN_CHUNK, Groups::automatic);
  }

  /**
   * Groups of about so many tasks, which ask for about the same number of bytes. C's {@code
   * collective,collsize=…}.
   */
  public static Grouping ofAbout(int taskCount) {
    requireTasks(taskCount);
    return new Grouping(
        "groups of about " + taskCount,
        Home.OWN_CHUNK,
        (sizes, block) -> Groups.ofAbout(taskCount, sizes, block));
  }

  /** Groups of so many tasks, whatever they ask for; the last may be smaller. */
  public static Grouping ofExactly(int taskCount) {
    requireTasks(taskCount);
    return new Grouping(
        "groups of " + taskCount,
        Home.OWN_CHUNK,
        (sizes, block) -> Groups.ofExactly(taskCount, sizes.length));
  }

  /** {@link #automatic} in files whose tasks ask for less than a block on average, else none. */
  public static Grouping whereSmall() {
    return new Grouping(
        "few groups where tasks are small",
        Home.OWN_CHUNK,
        (sizes, block) -> areSmall(sizes, block) ? Groups.automatic(sizes, block) : alone(sizes));
  }

  /**
   * The same groups, each with one stream for all its tasks: the collector's. Who wrote what is
   * lost unless the data tell. C's {@code collectivemerge}.
   */
  public Grouping merged() {
    return new Grouping(text + ", one stream for each", Home.COLLECTORS_CHUNK, rule);
  }

  private static Groups alone(long[] chunkSizes) {
    return Groups.ofExactly(1, chunkSizes.length);
  }

  /** An average that does not overflow. */
  private static boolean areSmall(long[] chunkSizes, int blockSize) {
    double sum = 0;
    for (long size : chunkSizes) {
      sum += size;
    }
    return sum / chunkSizes.length < blockSize;
  }

  private static void requireTasks(int taskCount) {
    if (taskCount < 1) {
      throw new IllegalArgumentException("a group has at least 1 task, not " + taskCount + ".");
    }
  }

  boolean isNone() {
    return this == NONE;
  }

  /** Whether all tasks of a group write one stream. */
  boolean isMerged() {
    return home == Home.COLLECTORS_CHUNK;
  }

  Groups place(long[] chunkSizes, int blockSize) {
    return rule.place(chunkSizes, blockSize);
  }

  /** The rule in words. */
  @Override
  public String toString() {
    return text;
  }

  /** Whose chunk holds a task's bytes. */
  private enum Home {
    OWN_CHUNK,
    COLLECTORS_CHUNK
  }

  private interface Rule {
    Groups place(long[] chunkSizes, int blockSize);
  }
}
