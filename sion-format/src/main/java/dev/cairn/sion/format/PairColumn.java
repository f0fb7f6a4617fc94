package dev.cairn.sion.format;

/** A row of pairs of 32-bit integers on disk: a writer gets them, a reader sets them. */
public interface PairColumn {

  /** What one pair is, as it begins a sentence: "mapping of task". */
  String name();

  /** What the first number of one pair is, likewise. */
  String firstName();

  /** What the second number of one pair is, likewise. */
  String secondName();

  int count();

  int first(int index);

  int second(int index);

  void set(int index, int first, int second);

  /** What the first number of a pair may be. */
  Range firstRange();

  /** What the second number of a pair may be. */
  Range secondRange();
}
