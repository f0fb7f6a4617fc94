package dev.cairn.sion;

/**
 * Which of the C library's opens the file looks like. The dialects differ in a few bytes of meta
 * data; readers take all.
 */
public enum Dialect {
  /**
   * One program wrote all tasks: a single file, called number 1, that ends with an empty mapping.
   */
  SERIAL,
  /** The tasks wrote together: files from number 0, a mapping only where there are several. */
  PARALLEL,
  /** Each writer wrote any tasks, placed one by one: always a mapping, by global rank. */
  MAPPED
}
