package dev.cairn.sion.field;

/**
 * The fields of a structure on disk, in the byte order of the file. A field list calls one method
 * for each field, in the order on disk, and goes on with the value that the method returns: a
 * writer returns its argument, a reader the value in the file.
 *
 * @param <X> what the methods throw: a reader has much to refuse, a meter nothing
 */
public interface FieldIo<X extends Exception> {

  /** Where the next field begins. */
  long position();

  /** Bytes that are always the same. */
  void constant(String name, byte[] bytes) throws X;

  /** 4 bytes of an integer. */
  int i32(String name, int value, Range range) throws X;

  /** 4 bytes of an integer without a sign. */
  long u32(String name, long value) throws X;

  /** 8 bytes of an integer. */
  long i64(String name, long value, Range range) throws X;

  /** The same for number {@code index} of a row of them. */
  int i32At(String row, int index, int value, Range range) throws X;

  /** The same for number {@code index} of a row of them. */
  long i64At(String row, int index, long value, Range range) throws X;

  /** {@code count} bytes: {@code value}, and zeros behind it. */
  byte[] bytes(String name, int count, byte[] value) throws X;

  /** To be called before memory for {@code byteCount} bytes of {@code part} is allocated. */
  void require(String part, long byteCount) throws X;

  /** What a list throws if a field that begins at {@code position} is none that it allows. */
  X unexpected(long position, String name, String expected, String found);

  /** What a list throws if fields do not fit together. */
  X misfit(long position, String sentence);

  /** A row of {@code count} integers of 4 bytes. */
  default int[] row32(String name, int count, int[] values) throws X {
    require(name, (long) Integer.BYTES * count);
    int[] row = new int[count];
    for (int index = 0; index < count; index++) {
      row[index] = i32At(name, index, index < values.length ? values[index] : 0, Range.ANY);
    }
    return row;
  }

  /** A row of {@code count} integers of 8 bytes. */
  default long[] row64(String name, long count, long[] values) throws X {
    require(name, Long.BYTES * count);
    long[] row = new long[(int) count];
    for (int index = 0; index < row.length; index++) {
      row[index] = i64At(name, index, index < values.length ? values[index] : 0, Range.ANY);
    }
    return row;
  }
}
