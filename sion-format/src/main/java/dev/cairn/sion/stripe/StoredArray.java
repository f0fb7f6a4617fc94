package dev.cairn.sion.stripe;

import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.LongStream;

/**
 * An array that lies in a logical file in row-major order: the last index varies fastest. Its
 * selections are bytes of that file.
 */
public final class StoredArray {
  private final long offset;
  private final long cellSize;
  private final long[] shape;

  /** The bytes from a cell to the next one along each dimension. */
  private final long[] strides;

  private StoredArray(long offset, long cellSize, long[] shape, long[] strides) {
    this.offset = offset;
    this.cellSize = cellSize;
    this.shape = shape;
    this.strides = strides;
  }

  /**
   * Describes an array.
   *
   * @param offset where its first cell lies in the logical file
   * @param cellSize the bytes of a cell
   * @param shape the cells along each dimension; at least one dimension
   * @throws IllegalArgumentException if the array does not fit into a file of 2^63 - 1 bytes
   */
  public static StoredArray of(long offset, long cellSize, long... shape) {
    if (cellSize < 1 || shape.length == 0 || Arrays.stream(shape).anyMatch(count -> count < 0)) {
      throw new IllegalArgumentException(
          String.format(
              "An array of shape %s with cells of %d bytes does not exist.",
              Arrays.toString(shape), cellSize));
    }
    long[] strides = new long[shape.length];
    try {
      long bytes = cellSize;
      for (int dimension = shape.length - 1; dimension >= 0; dimension--) {
        strides[dimension] = bytes;
        bytes = Math.multiplyExact(bytes, shape[dimension]);
      }
      Positions.end(offset, bytes);
    } catch (ArithmeticException overflow) {
      throw new IllegalArgumentException(
          "An array of shape " + Arrays.toString(shape) + " is longer than 2^63 - 1 bytes.",
          overflow);
    }
    return new StoredArray(offset, cellSize, shape.clone(), strides);
  }

  /**
   * The cells of a box.
   *
   * @param start its first index along each dimension
   * @param count its cells along each dimension
   */
  public Selection box(long[] start, long[] count) {
    long[] ones = new long[shape.length];
    Arrays.fill(ones, 1);
    return hyperslab(start, ones, ones, count);
  }

  /**
   * Blocks of cells at regular distances: along each dimension {@code count} blocks of {@code
   * block} cells, whose first cells are {@code stride} cells apart.
   *
   * @throws IllegalArgumentException if blocks overlap or leave the array
   */
  public Selection hyperslab(long[] start, long[] stride, long[] count, long[] block) {
    HyperslabAxis[] axes = new HyperslabAxis[shape.length];
    requireDimensions(start, stride, count, block);
    for (int dimension = 0; dimension < axes.length; dimension++) {
      axes[dimension] =
          HyperslabAxis.of(
              dimension,
              shape[dimension],
              start[dimension],
              stride[dimension],
              count[dimension],
              block[dimension]);
    }
    return () -> new MergingIterator(new HyperslabIterator(offset, strides, axes));
  }

  /**
   * Single cells.
   *
   * @param indices their numbers in row-major order, ascending
   */
  public Selection cells(long... indices) {
    long[] kept = indices.clone();
    long cellCount = Arrays.stream(shape).reduce(1, (product, count) -> product * count);
    for (int number = 0; number < kept.length; number++) {
      long least = number == 0 ? 0 : kept[number - 1] + 1;
      if (kept[number] < least || kept[number] >= cellCount) {
        throw new IllegalArgumentException(
            String.format(
                "Cell %d is number %d of the list: numbers must ascend and be below %d.",
                kept[number], number, cellCount));
      }
    }
    return () -> {
      Iterator<LogicalExtent> cells =
          LongStream.of(kept)
              .mapToObj(index -> new LogicalExtent(offset + index * cellSize, cellSize))
              .iterator();
      return new MergingIterator(cells);
    };
  }

  private void requireDimensions(long[]... lists) {
    for (long[] list : lists) {
      if (list.length != shape.length) {
        throw new IllegalArgumentException(
            String.format(
                "%s has %d numbers, but the array has %d dimensions.",
                Arrays.toString(list), list.length, shape.length));
      }
    }
  }
}
