package dev.cairn.sion.stripe;

import java.util.Arrays;
import java.util.List;

/**
 * Some cells of an array: in each dimension {@code count} indices, from {@code start} on and {@code
 * stride} apart. Dimensions of the array behind those that it names are taken as a whole. Its cells
 * are in row-major order: the last index varies fastest. Immutable.
 */
public final class Hyperslab {
  /** All of an array, in a growing file all of its records. */
  public static final Hyperslab WHOLE = of(new long[0], new long[0]);

  private final long[] start;
  private final long[] count;
  private final long[] stride;
  private final long cellCount;

  private Hyperslab(long[] start, long[] count, long[] stride) {
    this.start = start;
    this.count = count;
    this.stride = stride;
    this.cellCount = checkedCellCount();
  }

  /** Indices without gaps between them. */
  public static Hyperslab of(long[] start, long[] count) {
    long[] stride = new long[start.length];
    Arrays.fill(stride, 1);
    return of(start, count, stride);
  }

  /**
   * Indices at a regular distance.
   *
   * @throws IllegalArgumentException if the lists have different lengths, a number is negative, a
   *     stride is 0, or an index or the number of cells exceeds 2^63 - 1
   */
  public static Hyperslab of(long[] start, long[] count, long[] stride) {
    if (start.length != count.length || start.length != stride.length) {
      throw new IllegalArgumentException(
          String.format(
              "a hyperslab has as many starts as counts and strides, not %d, %d and %d.",
              start.length, count.length, stride.length));
    }
    return new Hyperslab(start.clone(), count.clone(), stride.clone());
  }

  /** What has this index in the first dimension: a record, for example. */
  public static Hyperslab at(long index) {
    return range(index, 1);
  }

  /** What has one of these indices in the first dimension: some records, for example. */
  public static Hyperslab range(long first, long count) {
    return of(new long[] {first}, new long[] {count});
  }

  private long checkedCellCount() {
    long cells = 1;
    for (int dimension = 0; dimension < start.length; dimension++) {
      long indices = count[dimension];
      boolean isLegal =
          start[dimension] >= 0
              && indices >= 0
              && stride[dimension] >= 1
              && indices - 1 <= (Long.MAX_VALUE - start[dimension]) / stride[dimension]
              && (indices == 0 || cells <= Long.MAX_VALUE / indices);
      if (!isLegal) {
        throw new IllegalArgumentException(
            String.format(
                "dimension %d of a hyperslab has start %d, count %d, stride %d; start and count are"
                    + " at least 0, a stride is at least 1, and no index nor number of cells"
                    + " exceeds 2^63 - 1.",
                dimension, start[dimension], indices, stride[dimension]));
      }
      cells *= indices;
    }
    return cells;
  }

  /** How many dimensions it names. */
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

  /** The last index in {@code dimension}, of which there is at least one. */
  public long last(int dimension) {
    return start[dimension] + (count[dimension] - 1) * stride[dimension];
  }

  /** The product of the counts: how many cells it has in an array of as many dimensions. */
  public long cellCount() {
    return cellCount;
  }

  /** Whether it has no cells. */
  public boolean isEmpty() {
    return cellCount == 0;
  }

  /** Whether there are indices between those of some dimension that it leaves out. */
  public boolean hasGaps() {
    for (int dimension = 0; dimension < start.length; dimension++) {
      if (stride[dimension] > 1 && count[dimension] > 1) {
        return true;
      }
    }
    return false;
  }

  /** The indices of its cell number {@code cell}. */
  public long[] indices(long cell) {
    long[] indices = new long[count.length];
    long rest = cell;
    for (int dimension = count.length - 1; dimension >= 0; dimension--) {
      indices[dimension] = start[dimension] + rest % count[dimension] * stride[dimension];
      rest /= count[dimension];
    }
    return indices;
  }

  /**
   * The same cells, with all dimensions of an array named.
   *
   * @param array what messages call the array
   * @param shape its cells along each dimension
   * @throws IllegalArgumentException if it names more dimensions, or has cells outside of the array
   */
  public Hyperslab within(String array, long... shape) {
    if (start.length > shape.length) {
      throw new IllegalArgumentException(
          String.format(
              "%s has %d dimensions, but the hyperslab names %d.",
              array, shape.length, start.length));
    }
    long[] starts = Arrays.copyOf(start, shape.length);
    long[] counts = Arrays.copyOf(count, shape.length);
    long[] strides = Arrays.copyOf(stride, shape.length);
    for (int dimension = 0; dimension < shape.length; dimension++) {
      if (dimension < start.length) {
        requireWithin(array, dimension, shape[dimension]);
      } else {
        counts[dimension] = shape[dimension];
        strides[dimension] = 1;
      }
    }
    return new Hyperslab(starts, counts, strides);
  }

  private void requireWithin(String array, int dimension, long size) {
    boolean isWithin = count[dimension] == 0 ? start[dimension] <= size : last(dimension) < size;
    if (!isWithin) {
      throw new IllegalArgumentException(
          String.format(
              "%s has %d indices in dimension %d, but the hyperslab has %d from %d on, %d apart.",
              array, size, dimension, count[dimension], start[dimension], stride[dimension]));
    }
  }

  /** Of the indices in {@code dimension}, only {@code length} from number {@code from} on. */
  public Hyperslab part(int dimension, long from, long length) {
    long[] starts = start.clone();
    long[] counts = count.clone();
    starts[dimension] += from * stride[dimension];
    counts[dimension] = length;
    return new Hyperslab(starts, counts, stride);
  }

  /** Its cells, of which there are several, as two parts that follow each other. */
  public List<Hyperslab> halves() {
    int dimension = 0;
    while (count[dimension] == 1) {
      dimension++;
    }
    long inFirst = count[dimension] / 2;
    return List.of(
        part(dimension, 0, inFirst), part(dimension, inFirst, count[dimension] - inFirst));
  }

  /** How many of its cells are neighbours in the last dimension, one behind the other. */
  public long runLength() {
    int last = count.length - 1;
    return last < 0 || stride[last] > 1 ? 1 : count[last];
  }

  /** Run number {@code index} of its cells that are neighbours. */
  public Hyperslab run(long index) {
    long[] counts = new long[count.length];
    Arrays.fill(counts, 1);
    if (count.length > 0) {
      counts[count.length - 1] = runLength();
    }
    return new Hyperslab(indices(index * runLength()), counts, stride);
  }

  /** The smallest hyperslab without gaps that has its cells and those of {@code other}. */
  public Hyperslab hullWith(Hyperslab other) {
    long[] starts = new long[start.length];
    long[] counts = new long[start.length];
    for (int dimension = 0; dimension < start.length; dimension++) {
      starts[dimension] = Math.min(start[dimension], other.start[dimension]);
      long last = Math.max(last(dimension), other.last(dimension));
      counts[dimension] = Math.addExact(last - starts[dimension], 1);
    }
    return of(starts, counts);
  }

  /** The same cells, with indices counted from the first ones of {@code hull}. */
  public Hyperslab relativeTo(Hyperslab hull) {
    long[] starts = new long[start.length];
    Arrays.setAll(starts, dimension -> start[dimension] - hull.start[dimension]);
    return new Hyperslab(starts, count, stride);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Hyperslab that
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
