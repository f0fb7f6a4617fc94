package dev.cairn.sion.format;

/** A row of pairs of 32-bit integers on disk: a writer gets them, a reader sets them. */
public interface PairColumn {

  /** The name of one pair, as the start of a message: "mapping of task". */
  String name();

  /** The name of the first number of a pair, likewise. */
  String firstName();

  /** The name of the second number of a pair, likewise. */
  String secondName();

  int count();

  int first(int index);

  int second(int index);

  void set(int index, int first, int second);

  /** The range of the first number of a pair. */
  Range firstRange();

  /** The range of the second number of a pair. */
  Range secondRange();
}
