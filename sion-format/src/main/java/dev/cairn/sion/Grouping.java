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

  /**
   * The pieces in which a group's collector writes what all tasks of the group bring: the chunks of
   * the group in each block, cut into windows of a size that the collector can keep in memory. The
   * last window of a block may be shorter. Windows are numbered from 0, from the front of the file
   * to its end, so a collector asks the others for a window by its number. Immutable.
   */
  public static final class Windows {
    private final TaskSlot.Group group;
    private final long stride;
    private final long size;
    private final long countPerBlock;

    private Windows(TaskSlot.Group group, long stride, long size) {
      this.group = group;
      this.stride = stride;
      this.size = size;
      this.countPerBlock = Math.max(1, (group.size() + size - 1) / size);
    }

    /**
     * The windows of a task's group.
     *
     * @param slot the place of any task of the group
     * @param size the most bytes of a window
     * @throws java.util.NoSuchElementException if the task has no group
     */
    public static Windows of(TaskSlot slot, long size) {
      return new Windows(slot.group().orElseThrow(), slot.stride(), size);
    }

    /** How many windows begin in front of {@code end}, a position in the physical file. */
    public long countBefore(long end) {
      if (end <= group.start()) {
        return 0;
      }
      long last = end - 1 - group.start();
      long windowInBlock = Math.min(last % stride / size, countPerBlock - 1);
      return last / stride * countPerBlock + windowInBlock + 1;
    }

    /** The position in the physical file at which a window begins. */
    public long start(long window) {
      return blockStart(window) + window % countPerBlock * size;
    }

    /** The position in the physical file behind the last byte of a window. */
    public long end(long window) {
      return Math.min(start(window) + size, blockStart(window) + group.size());
    }

    private long blockStart(long window) {
      return group.start() + window / countPerBlock * stride;
    }
  }
}
