package dev.cairn.sion.log;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Reads a field list from a head whose checksum was right. */
final class HeadReader implements HeadIo {
  private final ByteBuffer head;

  /** {@code head} is little-endian and ends before the checksum. */
  HeadReader(ByteBuffer head) {
    this.head = head;
  }

  /** Refuses anything behind the last field but zeros that align the head. */
  void requireEnd() throws Misfit {
    int padding = head.remaining();
    boolean isZero = padding < Long.BYTES;
    while (isZero && head.hasRemaining()) {
      isZero = head.get() == 0;
    }
    if (!isZero) {
      throw new Misfit.Illegal("there should be no more fields, but there are %d bytes", padding);
    }
  }

  @Override
  public int u16(String name, int value, int least, int most) throws Misfit {
    require(name, 1, Short.BYTES);
    return (int) checked(name, Short.toUnsignedLong(head.getShort()), least, most);
  }

  @Override
  public int u32(String name, int value, int least, int most) throws Misfit {
    require(name, 1, Integer.BYTES);
    return (int) checked(name, Integer.toUnsignedLong(head.getInt()), least, most);
  }

  @Override
  public long u64(String name, long value, long least, long most) throws Misfit {
    require(name, 1, Long.BYTES);
    return checked(name, head.getLong(), least, most);
  }

  @Override
  public long bits64(String name, long value) throws Misfit {
    require(name, 1, Long.BYTES);
    return head.getLong();
  }

  @Override
  public int bits32(String name, int value) throws Misfit {
    require(name, 1, Integer.BYTES);
    return head.getInt();
  }

  @Override
  public List<StridedBox> boxes(String name, int boxCount, int dimensions, List<StridedBox> boxes)
      throws Misfit {
    if (dimensions == 0 && boxCount != 1) {
      throw new Misfit.Illegal("boxCount should be 1 without dimensions, but is %d", boxCount);
    }
    require(name, boxCount, 3L * Long.BYTES * dimensions);
    StridedBox[] found = new StridedBox[boxCount];
    for (int box = 0; box < boxCount; box++) {
      found[box] = box(dimensions);
    }
    return Arrays.asList(found);
  }

  private StridedBox box(int dimensions) throws Misfit {
    try {
      return StridedBox.of(longs(dimensions), longs(dimensions), longs(dimensions));
    } catch (IllegalArgumentException illegal) {
      throw Misfit.Illegal.because(illegal);
    }
  }

  private long[] longs(int count) {
    long[] found = new long[count];
    for (int index = 0; index < count; index++) {
      found[index] = head.getLong();
    }
    return found;
  }

  @Override
  public FrameChecksums checksums(String name, int count, FrameChecksums checksums) throws Misfit {
    require(name, count, Integer.BYTES);
    int[] found = new int[count];
    for (int index = 0; index < count; index++) {
      found[index] = head.getInt();
    }
    return new FrameChecksums(found);
  }

  /** Before anything is allocated for {@code count} elements. */
  private void require(String name, long count, long size) throws Misfit {
    if (size > 0 && count > head.remaining() / size) {
      throw new Misfit.Illegal(
          "%s should have %d times %d bytes, but the head has only %d more",
          name, count, size, head.remaining());
    }
  }

  private static long checked(String name, long found, long least, long most) throws Misfit {
    if (found < least || found > most) {
      throw new Misfit.Illegal(
          "%s should be %s, but is %s",
          name, least == most ? least : least + " to " + most, Long.toUnsignedString(found));
    }
    return found;
  }
}
