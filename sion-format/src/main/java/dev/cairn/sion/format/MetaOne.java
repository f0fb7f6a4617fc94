package dev.cairn.sion.format;

import dev.cairn.sion.field.FieldMeter;

/**
 * META1 as a whole: the fixed part ({@link FileHeader}), the task part ({@link TaskColumns}) and
 * the tail ({@link FileTail}), one behind the other. Its sizes are measured on their field lists.
 */
public final class MetaOne {
  private static final FormatVersion WRITTEN = FormatVersion.V5;
  private static final long SIZE_PER_TASK =
      FieldMeter.sizeOf(io -> TaskColumns.fields(io, TaskColumns.blank(1)));

  private MetaOne() {}

  /**
   * The bytes kept for META1 before the first chunk. Format 2 keeps the same number, although its
   * META1 is shorter.
   */
  public static long size(int taskCount) {
    return tailOffset(WRITTEN, taskCount) + FileTail.SIZE;
  }

  /** The bytes of the task part. */
  public static long taskPartSize(int taskCount) {
    return SIZE_PER_TASK * taskCount;
  }

  /** Where the tail begins. */
  public static long tailOffset(FormatVersion version, int taskCount) {
    long fixedSize = FieldMeter.sizeOf(io -> FileHeader.fields(io, FileHeader.blank(version)));
    return fixedSize + taskPartSize(taskCount);
  }
}
