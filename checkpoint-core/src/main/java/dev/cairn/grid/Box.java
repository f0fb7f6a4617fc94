package dev.cairn.grid;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The cells between two corners of a global array; it may be empty, and with a halo it may begin
 * below zero. Inside a box, too, cells are numbered in row-major order. Immutable; any thread or
 * rank may share one.
 */
public final class Box {
  private final long[] start;
  private final Shape shape;

  /** Keeps {@code start}, which is not to be changed any more. */
  Box(long[] start, Shape shape) {
    this.start = start;
    this.shape = shape;
    requireDimensions(start.length, shape);
    for (int dimension = 0; dimension < start.length; dimension++) {
      if (start[dimension] > Long.MAX_VALUE - shape.extent(dimension)) {
        throw new IllegalArgumentException(
            String.format(
                "a box of %s cells at %s ends behind 2^63 - 1.", shape, Arrays.toString(start)));
      }
    }
  }

  private static void requireDimensions(int count, Shape shape) {
    if (count != shape.dimensions()) {
      throw new IllegalArgumentException(
          String.format(
              "a position in a box of %s cells has %d numbers, not %d.",
              shape, shape.dimensions(), count));
    }
  }

  /**
   * The box with its first cell and its extents.
   *
   * @throws IllegalArgumentException if the two do not have the same number of dimensions, or if
   *     the extents make no {@link Shape}
   */
  public static Box of(long[] start, long[] extents) {
    return Shape.of(extents).at(start);
  }

  public int dimensions() {
    return start.length;
  }

  /** The first position in one dimension. */
  public long start(int dimension) {
    return start[dimension];
  }

  /** The position behind the last one in one dimension. */
  public long end(int dimension) {
    return start[dimension] + shape.extent(dimension);
  }

  public long extent(int dimension) {
    return shape.extent(dimension);
  }

  public Shape shape() {
    return shape;
  }

  public long cellCount() {
    return shape.cellCount();
  }

  public boolean isEmpty() {
    return cellCount() == 0;
  }

  public boolean contains(long... cell) {
    requireDimensions(cell.length, shape);
    for (int dimension = 0; dimension < cell.length; dimension++) {
      if (cell[dimension] < start[dimension] || cell[dimension] >= end(dimension)) {
        return false;
      }
    }
    return true;
  }

  /** Whether all cells of the other box are in this one; an empty box has none to miss. */
  public boolean contains(Box other) {
    return other.isEmpty() || holdsRangesOf(other);
  }

  private boolean holdsRangesOf(Box other) {
    requireSameDimensions(other);
    for (int dimension = 0; dimension < start.length; dimension++) {
      if (other.start[dimension] < start[dimension] || other.end(dimension) > end(dimension)) {
        return false;
      }
    }
    return true;
  }

  public boolean intersects(Box other) {
    requireSameDimensions(other);
    for (int dimension = 0; dimension < start.length; dimension++) {
      if (Math.max(start[dimension], other.start[dimension])
          >= Math.min(end(dimension), other.end(dimension))) {
        return false;
      }
    }
    return true;
  }

  /** The cells that are in both boxes; an empty box if there are none. */
  public Box intersection(Box other) {
    requireSameDimensions(other);
    long[] first = new long[start.length];
    long[] extents = new long[start.length];
    for (int dimension = 0; dimension < start.length; dimension++) {
      first[dimension] = Math.max(start[dimension], other.start[dimension]);
      long end = Math.min(end(dimension), other.end(dimension));
      extents[dimension] = end > first[dimension] ? end - first[dimension] : 0;
    }
    return new Box(first, new Shape(extents));
  }

  private void requireSameDimensions(Box other) {
    if (other.start.length != start.length) {
      throw new IllegalArgumentException(
          String.format("%s and %s do not have the same number of dimensions.", this, other));
    }
  }

  /**
   * The row-major number of a cell inside this box.
   *
   * @throws IndexOutOfBoundsException if the cell is not in the box
   */
  public long index(long... cell) {
    if (!contains(cell)) {
      throw new IndexOutOfBoundsException(
          String.format("the cell %s is not in %s.", Arrays.toString(cell), this));
    }
    long index = 0;
    for (int dimension = 0; dimension < cell.length; dimension++) {
      index = index * extent(dimension) + (cell[dimension] - start[dimension]);
    }
    return index;
  }

  /**
   * The cell with a row-major number inside this box.
   *
   * @throws IndexOutOfBoundsException if there is no such cell
   */
  public long[] cell(long index) {
    long rest = Objects.checkIndex(index, cellCount());
    long[] cell = new long[start.length];
    for (int dimension = start.length - 1; dimension >= 0; dimension--) {
      cell[dimension] = start[dimension] + rest % extent(dimension);
      rest /= extent(dimension);
    }
    return cell;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Box box && Arrays.equals(start, box.start) && shape.equals(box.shape);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(start) + shape.hashCode();
  }

  /** The half-open ranges of the dimensions: {@code [0..3)x[4..8)}. */
  @Override
  public String toString() {
    return IntStream.range(0, start.length)
        .mapToObj(dimension -> "[" + start(dimension) + ".." + end(dimension) + ")")
        .collect(Collectors.joining("x"));
  }
}
