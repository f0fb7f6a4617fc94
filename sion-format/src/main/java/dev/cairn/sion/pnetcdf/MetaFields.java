package dev.cairn.sion.pnetcdf;

/**
 * The fields of a metadata log, all in the byte order of the machine that wrote it. A field list
 * calls one method for each field, in the order on disk, and goes on with the value that the method
 * returns: a writer returns its argument, a reader the value in the file.
 */
interface MetaFields {
  /** Bytes that are the same in every log. */
  void constant(String name, String ascii) throws Mismatch;

  int i32(String name, int value, int least, int most) throws Mismatch;

  long i64(String name, long value, long least, long most) throws Mismatch;

  /** 4 bytes of any value. */
  default int any32(String name, int value) throws Mismatch {
    return i32(name, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** 8 bytes of any value. */
  default long any64(String name, long value) throws Mismatch {
    return i64(name, value, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** A name of {@code size} bytes. */
  String text(String name, int size, String value) throws Mismatch;

  /** {@code count} integers of 8 bytes. */
  long[] row64(String name, int count, long[] values) throws Mismatch;

  /** Zeros up to {@code position}, which a reader passes over. */
  void padding(int position) throws Mismatch;
}
