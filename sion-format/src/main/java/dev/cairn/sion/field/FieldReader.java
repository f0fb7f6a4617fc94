package dev.cairn.sion.field;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** Reads a field list, front to back, and refuses values that the list does not allow. */
public abstract class FieldReader<X extends Exception> implements FieldIo<X> {
  private static final int DELETE = 0x7f;

  /** A buffer in which the next {@code count} bytes, at least, are to be taken. */
  protected abstract ByteBuffer next(String name, int count) throws X;

  @Override
  public void constant(String name, byte[] bytes) throws X {
    long start = position();
    byte[] found = bytes(name, bytes.length, bytes);
    if (!Arrays.equals(found, bytes)) {
      throw unexpected(start, name, visible(bytes), visible(found));
    }
  }

  @Override
  public final int i32(String name, int value, Range range) throws X {
    int found = next(name, Integer.BYTES).getInt();
    if (!range.holds(found)) {
      throw unexpected(name, Integer.BYTES, range, found);
    }
    return found;
  }

  @Override
  public final long u32(String name, long value) throws X {
    return Integer.toUnsignedLong(i32(name, 0, Range.ANY));
  }

  @Override
  public final long i64(String name, long value, Range range) throws X {
    long found = next(name, Long.BYTES).getLong();
    if (!range.holds(found)) {
      throw unexpected(name, Long.BYTES, range, found);
    }
    return found;
  }

  /** Builds the name of an element only for a message, as a row can be long. */
  @Override
  public final int i32At(String row, int index, int value, Range range) throws X {
    int found = next(row, Integer.BYTES).getInt();
    if (!range.holds(found)) {
      throw unexpected(row + " " + index, Integer.BYTES, range, found);
    }
    return found;
  }

  /** Builds the name of an element only for a message, as a row can be long. */
  @Override
  public final long i64At(String row, int index, long value, Range range) throws X {
    long found = next(row, Long.BYTES).getLong();
    if (!range.holds(found)) {
      throw unexpected(row + " " + index, Long.BYTES, range, found);
    }
    return found;
  }

  @Override
  public final byte[] bytes(String name, int count, byte[] value) throws X {
    ByteBuffer source = next(name, count);
    byte[] found = new byte[count];
    source.get(found);
    return found;
  }

  private X unexpected(String name, int size, Range range, long found) {
    return unexpected(position() - size, name, range.expectation(), Long.toString(found));
  }

  private static String visible(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte unit : bytes) {
      if (unit >= ' ' && unit < DELETE) {
        text.append((char) unit);
      } else {
        text.append('\\').append(HexFormat.of().toHexDigits(unit));
      }
    }
    return text.toString();
  }
}
