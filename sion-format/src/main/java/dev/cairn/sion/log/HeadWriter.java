package dev.cairn.sion.log;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Writes a field list into memory. A value that the list does not allow is a bug: illegal arguments
 * of callers were refused earlier.
 */
final class HeadWriter implements HeadIo {
  private final ByteBuffer head;

  /** {@code head} is little-endian and large enough. */
  HeadWriter(ByteBuffer head) {
    this.head = head;
  }

  @Override
  public int u16(String name, int value, int least, int most) {
    check(name, value, least, most);
    head.putShort((short) value);
    return value;
  }

  @Override
  public int u32(String name, int value, int least, int most) {
    check(name, value, least, most);
    head.putInt(value);
    return value;
  }

  @Override
  public long u64(String name, long value, long least, long most) {
    check(name, value, least, most);
    head.putLong(value);
    return value;
  }

  @Override
  public long bits64(String name, long value) {
    head.putLong(value);
    return value;
  }

  @Override
  public int bits32(String name, int value) {
    head.putInt(value);
    return value;
  }

  @Override
  public List<StridedBox> boxes(String name, int boxCount, int dimensions, List<StridedBox> boxes) {
    for (StridedBox box : boxes) {
      for (int dimension = 0; dimension < dimensions; dimension++) {
        head.putLong(box.start(dimension));
      }
      for (int dimension = 0; dimension < dimensions; dimension++) {
        head.putLong(box.count(dimension));
      }
      for (int dimension = 0; dimension < dimensions; dimension++) {
        head.putLong(box.stride(dimension));
      }
    }
    return boxes;
  }

  @Override
  public FrameChecksums checksums(String name, int count, FrameChecksums checksums) {
    for (int frame = 0; frame < count; frame++) {
      head.putInt(checksums.of(frame));
    }
    return checksums;
  }

  private static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new AssertionError(
          String.format(
              "%s should be %d to %d, but is %d: please report this fault of Cairn.",
              name, least, most, value));
    }
  }
}
