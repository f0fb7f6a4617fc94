package dev.cairn.redistribution;

/** Adds the cells of lines up to a digest: line {@code n} has the numbers from {@code 512 n} on. */
interface CellSums {
  /** How many cells a line has: few enough to stay in the fastest cache between loops over them. */
  int LINE_CELLS = 512;

  /** Adds the cells from place {@code from} until {@code to} of a line, whose bits lie there. */
  void add(long[] bits, int from, int to, long line);

  CellDigest digest();
}
