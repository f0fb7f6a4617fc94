package dev.cairn.sion.stripe;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The extents of a hyperslab: the runs of cells along one dimension, the rows, for each choice of
 * an index in every dimension outside it. The dimensions inside it are taken as a whole, so a run
 * of the rows is contiguous.
 */
final class HyperslabIterator implements Iterator<Extent> {
  private final long logicalOffset;
  private final long[] distances;
  private final Hyperslab cells;

  /** The dimension along which rows lie. */
  private final int rows;

  /** How many runs a row has, and the bytes of each. */
  private final long runCount;

  private final long runSize;

  /** The run of the rows that comes next, and the indices outside, numbered as they are taken. */
  private final long[] next;

  private boolean hasNext;

  /**
   * For {@code cells}, which name all dimensions, of an array of this shape.
   *
   * @param logicalOffset where its first cell lies
   * @param distances the bytes from a cell to the next one along each dimension
   */
  HyperslabIterator(long logicalOffset, long[] shape, long[] distances, Hyperslab cells) {
    this.logicalOffset = logicalOffset;
    this.distances = distances;
    this.cells = cells;
    this.rows = rows(shape, distances, cells);
    boolean isOneRun = cells.stride(rows) == 1;
    this.runCount = isOneRun ? 1 : cells.count(rows);
    this.runSize = (isOneRun ? cells.count(rows) : 1) * distances[rows];
    this.next = new long[rows + 1];
    this.hasNext = !cells.isEmpty();
  }

  /** The innermost dimension inside which every other one is taken as a whole and has no gaps. */
  private static int rows(long[] shape, long[] distances, Hyperslab cells) {
    int dimension = shape.length - 1;
    while (dimension > 0
        && cells.count(dimension) == shape[dimension]
        && distances[dimension - 1] == shape[dimension] * distances[dimension]) {
      dimension--;
    }
    return dimension;
  }

  @Override
  public boolean hasNext() {
    return hasNext;
  }

  @Override
  public Extent next() {
    if (!hasNext) {
      throw new NoSuchElementException("The hyperslab has no further extent.");
    }
    long begin = logicalOffset;
    for (int dimension = 0; dimension <= rows; dimension++) {
      long index = cells.start(dimension) + next[dimension] * cells.stride(dimension);
      begin += distances[dimension] * index;
    }
    hasNext = advance();
    return new Extent(begin, runSize);
  }

  /** Counts up, the rows fastest; returns false behind the last extent. */
  private boolean advance() {
    for (int dimension = rows; dimension >= 0; dimension--) {
      next[dimension]++;
      if (next[dimension] < (dimension == rows ? runCount : cells.count(dimension))) {
        return true;
      }
      next[dimension] = 0;
    }
    return false;
  }
}
