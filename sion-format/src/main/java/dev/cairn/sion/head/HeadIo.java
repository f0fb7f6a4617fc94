package dev.cairn.sion.head;

/**
 * The fields of a head that is in memory as a whole, in the byte order of its buffer. A field list
 * calls one method for each field, in the order on disk, and goes on with the value that the method
 * returns: a writer returns its argument, a reader the value in the file.
 */
public interface HeadIo {
  /** Bytes that are the same in every head. */
  void constant(String name, String ascii) throws Misfit;

  int i32(String name, int value, int least, int most) throws Misfit;

  long i64(String name, long value, long least, long most) throws Misfit;

  /** 4 bytes of any value. */
  default int any32(String name, int value) throws Misfit {
    return i32(name, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** 8 bytes of any value. */
  default long any64(String name, long value) throws Misfit {
    return i64(name, value, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** A name of {@code size} bytes. */
  String text(String name, int size, String value) throws Misfit;

  /** {@code count} integers of 8 bytes. */
  long[] row64(String name, long count, long[] values) throws Misfit;

  /** {@code count} integers of 4 bytes. */
  int[] row32(String name, int count, int[] values) throws Misfit;

  /** Zeros up to the byte {@code end} of the head, which a reader passes over. */
  void padding(int end) throws Misfit;

  /** CRC32C of all bytes before it, which a reader has compared before it reads a field. */
  void checksum() throws Misfit;
}
