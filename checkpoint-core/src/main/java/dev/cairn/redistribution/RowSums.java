package dev.cairn.redistribution;

/** Adds up the digest of a block of rows, column by column. */
interface RowSums {
  /** The most rows of a block: few enough for the fastest cache. */
  int BLOCK_ROWS = 512;

  /** Adds to each of the first {@code count} rows its bits in this column, counted from 0. */
  void add(long[] bits, int count, int column);

  /** The digest of the first {@code count} rows, after their last column; begins a new block. */
  CellDigest take(int count);
}
