package dev.cairn.sion.log;

import java.util.List;

/**
 * The fields of heads, all little-endian. A field list calls one method for each field, in the
 * order on disk, and goes on with the value that the method returns: a writer returns its argument,
 * a reader the value in the file.
 */
interface HeadIo {
  int u16(String name, int value, int least, int most) throws Misfit;

  /** An integer of 4 bytes that is not negative. */
  int u32(String name, int value, int least, int most) throws Misfit;

  /** An integer of 8 bytes that is not negative. */
  long u64(String name, long value, long least, long most) throws Misfit;

  /** 8 bytes of any value. */
  long bits64(String name, long value) throws Misfit;

  /** 4 bytes of any value. */
  int bits32(String name, int value) throws Misfit;

  /** {@code boxCount} boxes of {@code dimensions}: all starts, all counts, all strides of each. */
  List<StridedBox> boxes(String name, int boxCount, int dimensions, List<StridedBox> boxes)
      throws Misfit;

  /** {@code count} checksums of 4 bytes each. */
  FrameChecksums checksums(String name, int count, FrameChecksums checksums) throws Misfit;
}
