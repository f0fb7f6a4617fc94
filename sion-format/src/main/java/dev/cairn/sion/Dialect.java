package dev.cairn.sion;

/**
 * The open function of the C library whose meta data a writer imitates. The dialects differ in a
 * few bytes; readers accept all.
 */
public enum Dialect {
  /**
   * One program wrote all tasks: a single file, called number 1, that ends with an empty mapping.
   */
  SERIAL,
  /** The tasks wrote together: files from number 0, a mapping only where there are several. */
  PARALLEL,
  /** Each writer wrote any tasks, placed one by one. There is always a mapping, by global rank. */
  MAPPED
}
