package dev.cairn.sion.log;

import java.util.ArrayList;
import java.util.List;

/** Walks a field list to learn where each field lies; nothing is read or written. */
final class HeadMeter implements HeadIo {
  private final List<Field> fields = new ArrayList<>();
  private long position;

  /**
   * One field, or one row of equal ones.
   *
   * @param name its name
   * @param offset where it begins in the head
   * @param size its bytes
   */
  record Field(String name, long offset, long size) {}

  /** The fields so far, in their order on disk. */
  List<Field> fields() {
    return fields;
  }

  /** Where the next field would begin. */
  long position() {
    return position;
  }

  @Override
  public int u16(String name, int value, int least, int most) {
    add(name, Short.BYTES);
    return value;
  }

  @Override
  public int u32(String name, int value, int least, int most) {
    add(name, Integer.BYTES);
    return value;
  }

  @Override
  public long u64(String name, long value, long least, long most) {
    add(name, Long.BYTES);
    return value;
  }

  @Override
  public long bits64(String name, long value) {
    add(name, Long.BYTES);
    return value;
  }

  @Override
  public int bits32(String name, int value) {
    add(name, Integer.BYTES);
    return value;
  }

  @Override
  public List<StridedBox> boxes(String name, int boxCount, int dimensions, List<StridedBox> boxes) {
    add(name, 3L * Long.BYTES * dimensions * boxCount);
    return boxes;
  }

  @Override
  public FrameChecksums checksums(String name, int count, FrameChecksums checksums) {
    add(name, (long) Integer.BYTES * count);
    return checksums;
  }

  private void add(String name, long size) {
    fields.add(new Field(name, position, size));
    position += size;
  }
}
