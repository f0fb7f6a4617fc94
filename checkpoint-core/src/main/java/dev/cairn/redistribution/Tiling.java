package dev.cairn.redistribution;

import dev.cairn.grid.Box;
import dev.cairn.grid.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Whether the boxes of all ranks tile a shape: no gap, no overlap, nothing outside.
 *
 * <p>Each corner of a box is an entry, behind which one box more holds the cells, or an exit,
 * behind which one holds them less; in one dimension that is its start and its end. Entries and
 * exits of all boxes together say how many boxes hold each cell, so the boxes tile the shape
 * exactly if they cancel out to one entry: the first cell. Otherwise the first number that is left
 * over in row-major order is a cell that is not held once, because no other corner lies before it
 * in every dimension. So the check costs no more than sorting the corners, for any boxes.
 */
public final class Tiling {
  private final Shape shape;
  private final List<List<Box>> boxesByRank;
  private final LongStream.Builder entries = LongStream.builder();
  private final LongStream.Builder exits = LongStream.builder();

  private Tiling(Shape shape, List<List<Box>> boxesByRank) {
    this.shape = shape;
    this.boxesByRank = boxesByRank;
  }

  /**
   * Why the boxes do not tile the shape, as one sentence about {@code item}; nothing if they do.
   *
   * @param boxesByRank the boxes of each rank, of which any may be empty
   */
  public static Optional<String> flaw(String item, Shape shape, List<List<Box>> boxesByRank) {
    Tiling tiling = new Tiling(shape, boxesByRank);
    return boxOutside(shape, boxesByRank)
        .or(tiling::cellNotHeldOnce)
        .map(flaw -> item + ": " + flaw);
  }

  /** The first box that is not of the shape's dimensions, or does not lie in it. */
  static Optional<String> boxOutside(Shape shape, List<? extends List<Box>> boxesByRank) {
    for (int rank = 0; rank < boxesByRank.size(); rank++) {
      for (Box box : boxesByRank.get(rank)) {
        if (box.dimensions() != shape.dimensions() || !shape.box().contains(box)) {
          return Optional.of(
              String.format(
                  "the box %s of rank %d does not lie in the shape %s.", box, rank, shape));
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> cellNotHeldOnce() {
    boxesByRank.forEach(boxes -> boxes.forEach(this::addCorners));
    if (shape.cellCount() > 0) {
      exits.add(0);
    }
    long[] more = entries.build().sorted().toArray();
    long[] less = exits.build().sorted().toArray();
    int at = Arrays.mismatch(more, less);
    if (at < 0) {
      return Optional.empty();
    }
    boolean overlap = at < more.length && (at == less.length || more[at] < less[at]);
    return Optional.of(overlap ? overlapAt(shape.cell(more[at])) : gapAt(shape.cell(less[at])));
  }

  private void addCorners(Box box) {
    if (!box.isEmpty()) {
      addCorners(box, 0, 0, entries, exits);
    }
  }

  /** Corners behind the end of the shape concern no cell. */
  private void addCorners(
      Box box, int dimension, long index, LongStream.Builder same, LongStream.Builder opposite) {
    if (dimension == shape.dimensions()) {
      same.add(index);
      return;
    }
    long row = index * shape.extent(dimension);
    addCorners(box, dimension + 1, row + box.start(dimension), same, opposite);
    if (box.end(dimension) < shape.extent(dimension)) {
      addCorners(box, dimension + 1, row + box.end(dimension), opposite, same);
    }
  }

  private String overlapAt(long[] cell) {
    List<Distribution.Part> holders = new ArrayList<>();
    for (int rank = 0; rank < boxesByRank.size(); rank++) {
      for (Box box : boxesByRank.get(rank)) {
        if (box.contains(cell)) {
          holders.add(new Distribution.Part(rank, 0, box));
        }
      }
    }
    return overlap(holders.get(0), holders.get(1));
  }

  static String overlap(Distribution.Part one, Distribution.Part other) {
    return String.format(
        "the box %s of rank %d and the box %s of rank %d overlap in %s; a cell has one owner, and"
            + " halos do not count.",
        one.box(), one.rank(), other.box(), other.rank(), one.box().intersection(other.box()));
  }

  /** An overlap elsewhere may hide some of the gap, so the count is a lower bound. */
  private String gapAt(long[] cell) {
    long missing = shape.cellCount();
    for (List<Box> boxes : boxesByRank) {
      for (Box box : boxes) {
        missing -= Math.min(missing, box.cellCount());
      }
    }
    String where =
        Arrays.stream(cell).mapToObj(Long::toString).collect(Collectors.joining(", ", "(", ")"));
    return String.format(
        "no rank has the cell %s; missing are at least %d of the %d cells of the shape %s.",
        where, Math.max(1, missing), shape.cellCount(), shape);
  }
}
