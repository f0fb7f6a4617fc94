package dev.cairn.sion.format;

/** A row of 64-bit integers on disk, one per task: a writer gets them, a reader sets them. */
public interface LongColumn {

  /** The name of one element, as the start of a message: "chunk size of local rank". */
  String name();

  int count();

  long get(int index);

  /** Takes a value that {@link #least} and {@link #most} allow. */
  void set(int index, long value);

  /** The smallest value that element {@code index} may have. */
  long least(int index);

  /** The largest value that element {@code index} may have. */
  long most(int index);
}
