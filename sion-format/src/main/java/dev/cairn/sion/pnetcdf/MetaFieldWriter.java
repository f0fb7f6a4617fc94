package dev.cairn.sion.pnetcdf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes a field list into memory. A value that the list does not allow is a bug: illegal arguments
 * of callers were refused earlier.
 */
final class MetaFieldWriter implements MetaFields {
  private final ByteBuffer bytes;

  /** {@code bytes} have the log's byte order, begin where the list does, and are enough. */
  MetaFieldWriter(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  @Override
  public void constant(String name, String ascii) {
    bytes.put(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public int i32(String name, int value, int least, int most) {
    check(name, value, least, most);
    bytes.putInt(value);
    return value;
  }

  @Override
  public long i64(String name, long value, long least, long most) {
    check(name, value, least, most);
    bytes.putLong(value);
    return value;
  }

  @Override
  public String text(String name, int size, String value) {
    bytes.put(value.getBytes(StandardCharsets.UTF_8));
    return value;
  }

  @Override
  public long[] row64(String name, int count, long[] values) {
    for (long value : values) {
      bytes.putLong(value);
    }
    return values;
  }

  @Override
  public void padding(int position) {
    while (bytes.position() < position) {
      bytes.put((byte) 0);
    }
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
