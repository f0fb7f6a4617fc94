package dev.cairn.sion.netcdf;

import java.util.Arrays;

/**
 * A part of a variable: in each dimension {@code count} indices, from {@code start} on and {@code
 * stride} apart. Dimensions behind those that it names are taken as a whole. Its values are in
 * row-major order: the last index varies fastest. Immutable.
 */
public final class Section {
  /** All of a variable, in a growing file all of its records. */
  public static final Section WHOLE = new Section(new long[0], new long[0], new long[0]);

  private final long[] start;
  private final long[] count;
  private final long[] stride;

  private Section(long[] start, long[] count, long[] stride) {
    this.start = start;
    this.count = count;
    this.stride = stride;
  }

  /** Indices without gaps between them. */
  public static Section of(long[] start, long[] count) {
    long[] stride = new long[start.length];
    Arrays.fill(stride, 1);
    return of(start, count, stride);
  }

  /**
   * Indices at a regular distance.
   *
   * @throws IllegalArgumentException if the lists have different lengths, or a number is negative,
   *     or a stride is 0
   */
  public static Section of(long[] start, long[] count, long[] stride) {
    if (start.length != count.length || start.length != stride.length) {
      throw new IllegalArgumentException(
          String.format(
              "a section has as many starts as counts and strides, not %d, %d and %d.",
              start.length, count.length, stride.length));
    }
    for (int dimension = 0; dimension < start.length; dimension++) {
      if (start[dimension] < 0 || count[dimension] < 0 || stride[dimension] < 1) {
        throw new IllegalArgumentException(
            String.format(
                "a section has in dimension %d start %d, count %d, stride %d, but start and count"
                    + " are at least 0, and a stride at least 1.",
                dimension, start[dimension], count[dimension], stride[dimension]));
      }
    }
    return new Section(start.clone(), count.clone(), stride.clone());
  }

  /** What has this index in the first dimension: a record, for example. */
  public static Section at(long index) {
    return range(index, 1);
  }

  /** What has one of these indices in the first dimension: some records, for example. */
  public static Section range(long first, long count) {
    return of(new long[] {first}, new long[] {count});
  }

  int dimensionCount() {
    return start.length;
  }

  long start(int dimension) {
    return start[dimension];
  }

  long count(int dimension) {
    return count[dimension];
  }

  long stride(int dimension) {
    return stride[dimension];
  }

  /** The last index in {@code dimension}, of which there is at least one. */
  long last(int dimension) {
    return start[dimension] + (count[dimension] - 1) * stride[dimension];
  }

  /**
   * The same part, with all dimensions named.
   *
   * @throws IllegalArgumentException if it is not within an array of this shape
   */
  Section within(String variable, long[] shape) {
    if (start.length > shape.length) {
      throw new IllegalArgumentException(
          String.format(
              "variable %s has %d dimensions, but the section names %d.",
              variable, shape.length, start.length));
    }
    long[] starts = Arrays.copyOf(start, shape.length);
    long[] counts = Arrays.copyOf(count, shape.length);
    long[] strides = Arrays.copyOf(stride, shape.length);
    for (int dimension = start.length; dimension < shape.length; dimension++) {
      counts[dimension] = shape[dimension];
      strides[dimension] = 1;
    }
    Section complete = new Section(starts, counts, strides);
    complete.requireWithin(variable, shape);
    return complete;
  }

  private void requireWithin(String variable, long[] shape) {
    for (int dimension = 0; dimension < shape.length; dimension++) {
      // In this order no product or sum can pass 2^63 - 1.
      boolean isWithin =
          count[dimension] == 0
              ? start[dimension] <= shape[dimension]
              : start[dimension] < shape[dimension]
                  && count[dimension] - 1
                      <= (shape[dimension] - 1 - start[dimension]) / stride[dimension];
      if (!isWithin) {
        throw new IllegalArgumentException(
            String.format(
                "variable %s has %d indices in dimension %d, but the section has %d from %d on, %d"
                    + " apart.",
                variable,
                shape[dimension],
                dimension,
                count[dimension],
                start[dimension],
                stride[dimension]));
      }
    }
  }

  /** How many cells it has, if it names all dimensions and is within an array. */
  long cellCount() {
    long cells = 1;
    for (long each : count) {
      cells *= each;
    }
    return cells;
  }

  boolean isEmpty() {
    return Arrays.stream(count).anyMatch(each -> each == 0);
  }

  /** The indices of its cell number {@code cell}. */
  long[] indices(long cell) {
    long[] indices = new long[count.length];
    long rest = cell;
    for (int dimension = count.length - 1; dimension >= 0; dimension--) {
      indices[dimension] = start[dimension] + rest % count[dimension] * stride[dimension];
      rest /= count[dimension];
    }
    return indices;
  }

  long[] starts() {
    return start.clone();
  }

  long[] counts() {
    return count.clone();
  }

  long[] strides() {
    return stride.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Section that
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
