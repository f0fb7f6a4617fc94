package dev.cairn.sion.format;

import java.io.IOException;

/**
 * The field types of the format. A field list calls one method per field, in the order on disk, and
 * continues with the value that the method returns: a writer returns its argument, a reader the
 * value in the file.
 */
public interface FieldIo {

  /** Four fixed bytes that say what the file is. */
  void magic(String name, byte[] bytes) throws IOException;

  /** The format version, which decides what fields follow. */
  FormatVersion version(String name, FormatVersion value) throws IOException;

  int i32(String name, int value, Range range) throws IOException;

  long i64(String name, long value, Range range) throws IOException;

  /** Text in {@code width} bytes, ended by a zero byte unless it fills them all. */
  String text(String name, int width, String value) throws IOException;

  /** One 64-bit integer per element of {@code column}. */
  void i64s(LongColumn column) throws IOException;

  /** One pair of 32-bit integers per element of {@code column}. */
  void i32Pairs(PairColumn column) throws IOException;
}
