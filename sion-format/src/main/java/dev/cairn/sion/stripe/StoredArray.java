package dev.cairn.sion.stripe;

import java.util.Arrays;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * An array that lies in a logical file in row-major order: the last index varies fastest. Along the
 * first dimension there may be gaps. Its selections are bytes of that file.
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
    return of(offset, cellSize, OptionalLong.empty(), shape);
  }

  /**
   * Describes an array whose parts lie in records, between those of other arrays.
   *
   * @param offset where its first cell lies in the logical file
   * @param cellSize the bytes of a cell
   * @param recordDistance the bytes from its part in a record to that in the next one
   * @param shape the number of records, then the cells of a part along each dimension, of which
   *     there is at least one
   * @throws IllegalArgumentException if parts overlap, or if the array does not fit into a file of
   *     2^63 - 1 bytes
   */
  public static StoredArray ofRecords(
      long offset, long cellSize, long recordDistance, long... shape) {
    if (shape.length < 2) {
      throw new IllegalArgumentException(
          "A part of a record has at least one dimension: give one of length 1 to a single cell.");
    }
    return of(offset, cellSize, OptionalLong.of(recordDistance), shape);
  }

  private static StoredArray of(
      long offset, long cellSize, OptionalLong recordDistance, long... shape) {
    if (cellSize < 1 || shape.length == 0 || Arrays.stream(shape).anyMatch(count -> count < 0)) {
      throw new IllegalArgumentException(
          String.format(
              "An array of shape %s with cells of %d bytes does not exist.",
              Arrays.toString(shape), cellSize));
    }
    long[] strides = new long[shape.length];
    try {
      long bytes = cellSize;
      for (int dimension = shape.length - 1; dimension > 0; dimension--) {
        strides[dimension] = bytes;
        bytes = Math.multiplyExact(bytes, shape[dimension]);
      }
      strides[0] = recordDistance.orElse(bytes);
      if (strides[0] < bytes) {
        throw new IllegalArgumentException(
            String.format(
                "Parts of %d bytes overlap in records that are %d bytes apart.",
                bytes, strides[0]));
      }
      long gap = strides[0] - bytes;
      Positions.end(
          offset, Math.max(0, Math.subtractExact(Math.multiplyExact(strides[0], shape[0]), gap)));
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
    return () -> new MergingIterator(new HyperslabIterator(offset, shape, strides, axes));
  }

  /**
   * Single cells.
   *
   * @param indices their numbers in row-major order, ascending
   */
  public Selection cells(long... indices) {
    long[] kept = indices.clone();
    long partCount = Arrays.stream(shape).skip(1).reduce(1, (product, count) -> product * count);
    long cellCount = shape[0] * partCount;
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
              .map(index -> index / partCount * strides[0] + index % partCount * cellSize)
              .mapToObj(position -> new LogicalExtent(offset + position, cellSize))
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
