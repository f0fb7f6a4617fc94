package dev.cairn.sion.stripe;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * An array that lies in a logical file in row-major order: the last index varies fastest. Along the
 * first dimension there may be gaps. Its selections are bytes of that file.
 */
public final class StoredArray {
  private final long logicalOffset;
  private final long[] shape;

  /** The bytes from a cell to the next one along each dimension. */
  private final long[] distances;

  private StoredArray(long logicalOffset, long[] shape, long[] distances) {
    this.logicalOffset = logicalOffset;
    this.shape = shape;
    this.distances = distances;
  }

  /**
   * Describes an array.
   *
   * @param logicalOffset where its first cell lies in the logical file
   * @param cellSize the bytes of a cell
   * @param shape the cells along each dimension; at least one dimension
   * @throws IllegalArgumentException if the array does not fit into a file of 2^63 - 1 bytes
   */
  public static StoredArray of(long logicalOffset, long cellSize, long... shape) {
    return of(logicalOffset, cellSize, OptionalLong.empty(), shape);
  }

  /**
   * Describes an array whose parts lie in records, between those of other arrays.
   *
   * @param logicalOffset where its first cell lies in the logical file
   * @param cellSize the bytes of a cell
   * @param recordDistance the bytes from its part in a record to that in the next one
   * @param shape the number of records, then the cells of a part along each dimension, of which
   *     there is at least one
   * @throws IllegalArgumentException if parts overlap, or if the array does not fit into a file of
   *     2^63 - 1 bytes
   */
  public static StoredArray ofRecords(
      long logicalOffset, long cellSize, long recordDistance, long... shape) {
    if (shape.length < 2) {
      throw new IllegalArgumentException(
          "A part of a record has at least one dimension: give one of length 1 to a single cell.");
    }
    return of(logicalOffset, cellSize, OptionalLong.of(recordDistance), shape);
  }

  private static StoredArray of(
      long logicalOffset, long cellSize, OptionalLong recordDistance, long... shape) {
    if (cellSize < 1 || shape.length == 0 || Arrays.stream(shape).anyMatch(count -> count < 0)) {
      throw new IllegalArgumentException(
          String.format(
              "An array of shape %s with cells of %d bytes does not exist.",
              Arrays.toString(shape), cellSize));
    }
    long[] distances = new long[shape.length];
    try {
      long bytes = cellSize;
      for (int dimension = shape.length - 1; dimension > 0; dimension--) {
        distances[dimension] = bytes;
        bytes = Math.multiplyExact(bytes, shape[dimension]);
      }
      distances[0] = recordDistance.orElse(bytes);
      if (distances[0] < bytes) {
        throw new IllegalArgumentException(
            String.format(
                "Parts of %d bytes overlap in records that are %d bytes apart.",
                bytes, distances[0]));
      }
      long gap = distances[0] - bytes;
      Positions.end(
          logicalOffset,
          Math.max(0, Math.subtractExact(Math.multiplyExact(distances[0], shape[0]), gap)));
    } catch (ArithmeticException overflow) {
      throw new IllegalArgumentException(
          "An array of shape " + Arrays.toString(shape) + " is longer than 2^63 - 1 bytes.",
          overflow);
    }
    return new StoredArray(logicalOffset, shape.clone(), distances);
  }

  /**
   * The cells of a hyperslab.
   *
   * @throws IllegalArgumentException if it is not within the array
   */
  public Selection hyperslab(Hyperslab cells) {
    Hyperslab complete = cells.within("the array", shape);
    return () ->
        new MergingIterator(new HyperslabIterator(logicalOffset, shape, distances, complete));
  }
}
