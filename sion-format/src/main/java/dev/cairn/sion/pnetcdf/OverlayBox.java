package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.stripe.Selection;
import dev.cairn.sion.stripe.StoredArray;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The smallest box of cells that has all cells of some puts of a variable, stored without gaps. The
 * arrays are its own.
 */
final class OverlayBox {
  private final MemoryType type;
  private final ByteOrder order;
  private final long[] start;
  private final long[] end;

  /** The box of a put that is not empty. */
  OverlayBox(StagedPut put, ByteOrder order) {
    this.type = put.type();
    this.order = order;
    this.start = new long[put.boxes().dimensionCount()];
    this.end = new long[start.length];
    Arrays.fill(start, Long.MAX_VALUE);
    include(put.boxes());
  }

  /** Whether a put has values that can lie beside the others. */
  boolean fits(StagedPut put, ByteOrder itsOrder) {
    return put.type() == type
        && itsOrder.equals(order)
        && put.boxes().dimensionCount() == start.length;
  }

  /** Grows so that it has all cells of {@code boxes}. */
  void include(PutBoxes boxes) {
    for (int box = 0; box < boxes.boxCount(); box++) {
      if (boxes.cellCount(box) > 0) {
        for (int dimension = 0; dimension < start.length; dimension++) {
          start[dimension] = Math.min(start[dimension], boxes.start(box, dimension));
          long behind = Math.addExact(boxes.last(box, dimension), 1);
          end[dimension] = Math.max(end[dimension], behind);
        }
      }
    }
  }

  MemoryType type() {
    return type;
  }

  ByteOrder order() {
    return order;
  }

  long[] start() {
    return start.clone();
  }

  long[] count() {
    long[] count = new long[start.length];
    Arrays.setAll(count, dimension -> end[dimension] - start[dimension]);
    return count;
  }

  long cellCount() {
    return Arrays.stream(count()).reduce(1, Math::multiplyExact);
  }

  long size() {
    return Math.multiplyExact(cellCount(), type.size());
  }

  /** Where the values of a box lie, from which the extents come in the order of the values. */
  Selection extents(PutBoxes boxes, int box) {
    int dimensions = start.length;
    // A last dimension of length 1 makes arrays also of single cells.
    long[] from = new long[dimensions + 1];
    long[] stride = new long[dimensions + 1];
    long[] count = new long[dimensions + 1];
    long[] one = new long[dimensions + 1];
    Arrays.fill(stride, 1);
    Arrays.fill(count, 1);
    Arrays.fill(one, 1);
    for (int dimension = 0; dimension < dimensions; dimension++) {
      from[dimension] = boxes.start(box, dimension) - start[dimension];
      stride[dimension] = boxes.stride(box, dimension);
      count[dimension] = boxes.count(box, dimension);
    }
    long[] shape = Arrays.copyOf(count(), dimensions + 1);
    shape[dimensions] = 1;
    return StoredArray.of(0, type.size(), shape).hyperslab(from, stride, count, one);
  }
}
