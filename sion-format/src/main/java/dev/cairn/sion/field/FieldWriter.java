package dev.cairn.sion.field;

import java.nio.ByteBuffer;

/**
 * Writes a field list, front to back. A value that the list does not allow is a bug: illegal
 * arguments of callers were refused earlier.
 */
abstract class FieldWriter<X extends Exception> implements FieldIo<X> {
  private static final Range UNSIGNED_32 = new Range(0, 0xffff_ffffL);

  /** A buffer with room for {@code count} bytes. */
  abstract ByteBuffer room(int count) throws X;

  @Override
  public final void constant(String name, byte[] bytes) throws X {
    room(bytes.length).put(bytes);
  }

  @Override
  public final int i32(String name, int value, Range range) throws X {
    check(name, range, value);
    room(Integer.BYTES).putInt(value);
    return value;
  }

  @Override
  public final long u32(String name, long value) throws X {
    check(name, UNSIGNED_32, value);
    room(Integer.BYTES).putInt((int) value);
    return value;
  }

  @Override
  public final long i64(String name, long value, Range range) throws X {
    check(name, range, value);
    room(Long.BYTES).putLong(value);
    return value;
  }

  @Override
  public final int i32At(String row, int index, int value, Range range) throws X {
    return i32(row, value, range);
  }

  @Override
  public final long i64At(String row, int index, long value, Range range) throws X {
    return i64(row, value, range);
  }

  @Override
  public final byte[] bytes(String name, int count, byte[] value) throws X {
    check(name, new Range(0, count), value.length);
    room(count).put(value).put(new byte[count - value.length]);
    return value;
  }

  @Override
  public final void require(String part, long byteCount) {
    // What is written is in memory already.
  }

  @Override
  public final X unexpected(long position, String name, String expected, String found) {
    throw fault(String.format("%s should be %s, but is %s", name, expected, found));
  }

  @Override
  public final X misfit(long position, String sentence) {
    throw fault(sentence);
  }

  private static void check(String name, Range range, long value) {
    if (!range.holds(value)) {
      throw fault(String.format("%s should be %s, but is %d", name, range.expectation(), value));
    }
  }

  private static AssertionError fault(String sentence) {
    return new AssertionError(sentence + ": please report this fault of Cairn.");
  }
}
