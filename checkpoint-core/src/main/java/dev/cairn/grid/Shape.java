package dev.cairn.grid;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * How many cells an array has in each of its 1 to 6 dimensions. Cells are numbered in row-major
 * order: the last dimension runs fastest. Immutable; any thread or rank may share one.
 */
public final class Shape {
  /** The most dimensions that an array may have. */
  public static final int MAX_DIMENSIONS = 6;

  private final long[] extents;
  private final long cellCount;

  /** Keeps {@code extents}, which are not to be changed any more. */
  Shape(long[] extents) {
    this.extents = extents;
    this.cellCount = cellCount(extents);
  }

  /**
   * The shape with these extents, of which any may be 0.
   *
   * @throws IllegalArgumentException if there are not 1 to 6, if one is negative, or if their
   *     product is more than 2^63 - 1, empty dimensions left out
   */
  public static Shape of(long... extents) {
    if (extents.length < 1 || extents.length > MAX_DIMENSIONS) {
      throw new IllegalArgumentException(
          String.format("a shape has 1 to %d dimensions, not %d.", MAX_DIMENSIONS, extents.length));
    }
    return new Shape(extents.clone());
  }

  /** An empty dimension counts as one cell, so that the steps between cells do not overflow. */
  private static long cellCount(long[] extents) {
    long product = 1;
    boolean empty = false;
    for (long extent : extents) {
      if (extent < 0) {
        throw new IllegalArgumentException(
            String.format("the shape %s has a negative extent.", text(extents)));
      }
      if (Math.multiplyHigh(product, Math.max(1, extent)) != 0
          || product * Math.max(1, extent) < 0) {
        throw new IllegalArgumentException(
            String.format("the shape %s has more than 2^63 - 1 cells.", text(extents)));
      }
      product *= Math.max(1, extent);
      empty |= extent == 0;
    }
    return empty ? 0 : product;
  }

  public int dimensions() {
    return extents.length;
  }

  /** How many cells there are in one dimension. */
  public long extent(int dimension) {
    return extents[dimension];
  }

  public long cellCount() {
    return cellCount;
  }

  /** All cells. */
  public Box box() {
    return new Box(new long[extents.length], this);
  }

  /** The box of this shape whose first cell is {@code start}: {@code Shape.of(3, 4).at(0, 8)}. */
  public Box at(long... start) {
    return new Box(start.clone(), this);
  }

  /**
   * The row-major number of a cell.
   *
   * @throws IndexOutOfBoundsException if there is no such cell
   */
  public long index(long... cell) {
    return box().index(cell);
  }

  /**
   * The cell with a row-major number.
   *
   * @throws IndexOutOfBoundsException if there is no such cell
   */
  public long[] cell(long index) {
    return box().cell(index);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape shape && Arrays.equals(extents, shape.extents);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(extents);
  }

  /** The extents: {@code 1024x768}. */
  @Override
  public String toString() {
    return text(extents);
  }

  private static String text(long[] extents) {
    return Arrays.stream(extents).mapToObj(Long::toString).collect(Collectors.joining("x"));
  }
}
