package dev.cairn.redistribution;

import dev.cairn.grid.Box;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A box laid out in row-major order among other cells: in an array, a stream, a frame, a message,
 * or, if the box is a whole shape, among the global numbers of its cells. Immutable.
 *
 * @param box the cells
 * @param start the position of the first one, counted in cells
 */
public record Image(Box box, long start) {

  /** The image that begins at position 0. */
  public static Image of(Box box) {
    return new Image(box, 0);
  }

  /** The position behind the last cell. */
  public long end() {
    return start + box.cellCount();
  }

  /**
   * The part of this image between two positions, which may be in the middle of a row: the fewest
   * boxes that hold it, at most {@code 2 * dimensions - 1}, in their order. Their positions count
   * from {@code from}.
   */
  public List<Image> between(long from, long to) {
    // All of it, as nearly always where many ranks have small blocks.
    if (from <= start && end() <= to) {
      return box.isEmpty() ? List.of() : List.of(new Image(box, start - from));
    }
    List<Image> parts = new ArrayList<>();
    long end = Math.min(to, end()) - start;
    for (long next = Math.max(from, start) - start; next < end; ) {
      Box part = largestBox(next, end - next);
      parts.add(new Image(part, start + next - from));
      next += part.cellCount();
    }
    return parts;
  }

  /** The largest box of consecutive cells that begins with cell {@code index}. */
  private Box largestBox(long index, long mostCells) {
    long[] first = box.cell(index);
    long[] extents = new long[first.length];
    Arrays.fill(extents, 1);
    int dimension = first.length - 1;
    long rowCells = 1;
    while (dimension > 0
        && first[dimension] == box.start(dimension)
        && box.extent(dimension) <= mostCells / rowCells) {
      extents[dimension] = box.extent(dimension);
      rowCells *= box.extent(dimension);
      dimension--;
    }
    extents[dimension] = Math.min(box.end(dimension) - first[dimension], mostCells / rowCells);
    return Box.of(first, extents);
  }
}
