package dev.cairn.sion.head;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Writes a field list into memory. A value that the list does not allow is a bug: illegal arguments
 * of callers were refused earlier.
 */
public final class HeadWriter implements HeadIo {
  private final ByteBuffer head;

  private HeadWriter(ByteBuffer head) {
    this.head = head;
  }

  /** Something made of fields. */
  @FunctionalInterface
  public interface FieldList {
    void walk(HeadIo io) throws Misfit;
  }

  /** Puts a head into {@code target}, which is large enough, from position 0 on. */
  public static void write(ByteBuffer target, FieldList list) {
    try {
      list.walk(new HeadWriter(target));
    } catch (Misfit impossible) {
      throw new AssertionError("a writer refuses nothing", impossible);
    }
  }

  @Override
  public void constant(String name, String ascii) {
    head.put(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public int i32(String name, int value, int least, int most) {
    check(name, value, least, most);
    head.putInt(value);
    return value;
  }

  @Override
  public long i64(String name, long value, long least, long most) {
    check(name, value, least, most);
    head.putLong(value);
    return value;
  }

  @Override
  public String text(String name, int size, String value) {
    head.put(value.getBytes(StandardCharsets.UTF_8));
    return value;
  }

  @Override
  public long[] row64(String name, long count, long[] values) {
    for (long value : values) {
      head.putLong(value);
    }
    return values;
  }

  @Override
  public int[] row32(String name, int count, int[] values) {
    for (int value : values) {
      head.putInt(value);
    }
    return values;
  }

  @Override
  public void padding(int end) {
    while (head.position() < end) {
      head.put((byte) 0);
    }
  }

  @Override
  public void checksum() {
    CRC32C crc = new CRC32C();
    crc.update(head.duplicate().flip());
    head.putInt((int) crc.getValue());
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
