package dev.cairn.sion.log;

import java.util.List;

/**
 * The cells that a put writes. Its payload has them box by box, those of a box in row-major order.
 *
 * <p>A logical file is a variable of one dimension whose elements have 1 byte, and an extent of it
 * is a {@link StridedBox#extent}.
 *
 * @param variable the number of the variable, from 0
 * @param elementSize the bytes of a cell
 * @param boxes at least one; all have the same number of dimensions, and without dimensions there
 *     is exactly one
 */
public record Region(int variable, int elementSize, List<StridedBox> boxes) {
  public Region {
    boxes = List.copyOf(boxes);
    if (variable < 0 || elementSize < 1) {
      throw new IllegalArgumentException(
          String.format(
              "variable %d with elements of %d bytes: variables count from 0, and an element has at"
                  + " least 1 byte.",
              variable, elementSize));
    }
    int dimensions = dimensionCount(boxes);
    if (boxes.stream().anyMatch(box -> box.dimensionCount() != dimensions)
        || (dimensions == 0 && boxes.size() > 1)) {
      throw new IllegalArgumentException(
          "the boxes of a region have the same number of dimensions, and without dimensions there"
              + " is one box.");
    }
    byteCount(elementSize, boxes);
  }

  /** The {@code length} bytes of the logical file {@code file} from {@code offset} on. */
  public static Region ofExtent(int file, long offset, long length) {
    return new Region(file, 1, List.of(StridedBox.extent(offset, length)));
  }

  public int dimensionCount() {
    return dimensionCount(boxes);
  }

  /** The bytes of all cells. */
  public long byteCount() {
    return byteCount(elementSize, boxes);
  }

  private static int dimensionCount(List<StridedBox> boxes) {
    if (boxes.isEmpty()) {
      throw new IllegalArgumentException("a region has at least one box.");
    }
    return boxes.get(0).dimensionCount();
  }

  private static long byteCount(int elementSize, List<StridedBox> boxes) {
    try {
      long cells = 0;
      for (StridedBox box : boxes) {
        cells = Math.addExact(cells, box.cellCount());
      }
      return Math.multiplyExact(cells, (long) elementSize);
    } catch (ArithmeticException overflow) {
      throw new IllegalArgumentException("a region has at most 2^63 - 1 bytes.", overflow);
    }
  }
}
