package dev.cairn.sion;

/**
 * The pieces in which a group's collector writes what all tasks of the group bring: the chunks of
 * the group in each block, cut into windows of a size that the collector can keep in memory. The
 * last window of a block may be shorter. Windows are numbered from 0, from the front of the file to
 * its end, so a collector asks the others for a window by its number. Immutable.
 */
public final class GroupWindows {
  private final TaskGroup group;
  private final long stride;
  private final long size;
  private final long countPerBlock;

  private GroupWindows(TaskGroup group, long stride, long size) {
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
  public static GroupWindows of(TaskSlot slot, long size) {
    return new GroupWindows(slot.group().orElseThrow(), slot.stride(), size);
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
