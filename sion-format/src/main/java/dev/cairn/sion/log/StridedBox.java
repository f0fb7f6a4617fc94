package dev.cairn.sion.log;

import java.util.Arrays;

/**
 * Some cells of an array: in each dimension {@code count} indices from {@code start} on, each
 * {@code stride} behind the one before. A contiguous part of a file is a box of one dimension.
 */
public final class StridedBox {
  private final long[] start;
  private final long[] count;
  private final long[] stride;
  private final long cellCount;

  private StridedBox(long[] start, long[] count, long[] stride) {
    this.start = start;
    this.count = count;
    this.stride = stride;
    this.cellCount = checkedCellCount();
  }

  /**
   * A box with an element of each array for each dimension; without dimensions it is one cell.
   *
   * @throws IllegalArgumentException if the arrays differ in length, a start is negative, a count
   *     or a stride is less than 1, or an index or the number of cells exceeds 2^63 - 1
   */
  public static StridedBox of(long[] start, long[] count, long[] stride) {
    if (start.length != count.length || start.length != stride.length) {
      throw new IllegalArgumentException(
          String.format(
              "a box has as many starts as counts and strides, not %d, %d and %d.",
              start.length, count.length, stride.length));
    }
    return new StridedBox(start.clone(), count.clone(), stride.clone());
  }

  /** A box without gaps. */
  public static StridedBox of(long[] start, long[] count) {
    long[] stride = new long[start.length];
    Arrays.fill(stride, 1);
    return of(start, count, stride);
  }

  /** The {@code length} bytes of a file from {@code offset} on. */
  public static StridedBox extent(long offset, long length) {
    return of(new long[] {offset}, new long[] {length});
  }

  private long checkedCellCount() {
    long cells = 1;
    for (int dimension = 0; dimension < start.length; dimension++) {
      boolean isLegal = start[dimension] >= 0 && count[dimension] >= 1 && stride[dimension] >= 1;
      if (!isLegal
          || count[dimension] - 1 > (Long.MAX_VALUE - start[dimension]) / stride[dimension]
          || cells > Long.MAX_VALUE / count[dimension]) {
        throw new IllegalArgumentException(
            String.format(
                "dimension %d of a box has start %d, count %d, stride %d; the start is at least 0,"
                    + " the others at least 1, and no index nor number of cells exceeds 2^63 - 1.",
                dimension, start[dimension], count[dimension], stride[dimension]));
      }
      cells *= count[dimension];
    }
    return cells;
  }

  public int dimensionCount() {
    return start.length;
  }

  /** The first index in {@code dimension}. */
  public long start(int dimension) {
    return start[dimension];
  }

  /** How many indices there are in {@code dimension}. */
  public long count(int dimension) {
    return count[dimension];
  }

  /** The distance of two indices in {@code dimension}. */
  public long stride(int dimension) {
    return stride[dimension];
  }

  /** The product of the counts. */
  public long cellCount() {
    return cellCount;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StridedBox that
        && Arrays.equals(start, that.start)
        && Arrays.equals(count, that.count)
        && Arrays.equals(stride, that.stride);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(start) + Arrays.hashCode(count)) + Arrays.hashCode(stride);
  }

  @Override
  public String toString() {
    return String.format(
        "start %s count %s stride %s",
        Arrays.toString(start), Arrays.toString(count), Arrays.toString(stride));
  }
}
