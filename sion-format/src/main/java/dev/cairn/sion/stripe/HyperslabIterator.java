package dev.cairn.sion.stripe;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The extents of a hyperslab: the blocks along one dimension, the rows, for each choice of an index
 * in every dimension outside it. The dimensions inside it are taken as a whole, so a block of the
 * rows is contiguous.
 */
final class HyperslabIterator implements Iterator<LogicalExtent> {
  private final long offset;
  private final long[] strides;
  private final HyperslabAxis[] axes;

  /** The dimension along which rows lie. */
  private final int rows;

  /** The bytes of a block of the rows. */
  private final long length;

  /** The block of the rows that comes next, and the indices outside, numbered as they are taken. */
  private final long[] next;

  private boolean hasNext;

  HyperslabIterator(long offset, long[] shape, long[] strides, HyperslabAxis[] axes) {
    this.offset = offset;
    this.strides = strides;
    this.axes = axes;
    this.rows = rows(shape, strides, axes);
    this.length = axes[rows].block() * strides[rows];
    this.next = new long[rows + 1];
    this.hasNext = true;
    for (HyperslabAxis axis : axes) {
      hasNext &= axis.count() > 0;
    }
  }

  /** The innermost dimension inside which every other one is taken as a whole and has no gaps. */
  private static int rows(long[] shape, long[] strides, HyperslabAxis[] axes) {
    int dimension = axes.length - 1;
    while (dimension > 0
        && axes[dimension].isWhole(shape[dimension])
        && strides[dimension - 1] == shape[dimension] * strides[dimension]) {
      dimension--;
    }
    return dimension;
  }

  @Override
  public boolean hasNext() {
    return hasNext;
  }

  @Override
  public LogicalExtent next() {
    if (!hasNext) {
      throw new NoSuchElementException("The hyperslab has no further extent.");
    }
    long begin = offset + strides[rows] * (axes[rows].start() + next[rows] * axes[rows].stride());
    for (int dimension = 0; dimension < rows; dimension++) {
      begin += strides[dimension] * axes[dimension].index(next[dimension]);
    }
    hasNext = advance();
    return new LogicalExtent(begin, length);
  }

  /** Counts up, the rows fastest; returns false behind the last extent. */
  private boolean advance() {
    for (int dimension = rows; dimension >= 0; dimension--) {
      HyperslabAxis axis = axes[dimension];
      next[dimension]++;
      if (next[dimension] < (dimension == rows ? axis.count() : axis.indexCount())) {
        return true;
      }
      next[dimension] = 0;
    }
    return false;
  }
}
