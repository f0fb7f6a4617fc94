package dev.cairn.faces;

/** A row of a table of records. */
public record Grain(long id, double place) {
  static final int COUNT = 20;

  /** The rank in whose slice of the line, from 0 until 1, it is. */
  int owner(int rankCount) {
    return (int) (place * rankCount);
  }
}
