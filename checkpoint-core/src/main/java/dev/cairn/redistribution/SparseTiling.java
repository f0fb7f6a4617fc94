package dev.cairn.redistribution;

import dev.cairn.grid.Box;
import dev.cairn.grid.Shape;
import java.util.List;
import java.util.Optional;

/**
 * Whether the boxes of all ranks lie in a shape and do not overlap. They may leave cells out, as
 * the levels of an adaptive mesh do.
 */
public final class SparseTiling {
  private SparseTiling() {}

  /**
   * What is wrong with the boxes, as one sentence about {@code item}; nothing if they are sound.
   *
   * @param boxesByRank the boxes of each rank, of which any may be empty
   */
  public static Optional<String> flaw(
      String item, Shape shape, List<? extends List<Box>> boxesByRank) {
    return otherDimensions(shape, boxesByRank)
        .or(() -> flaw(shape, Distribution.of(boxesByRank)))
        .map(flaw -> item + ": " + flaw);
  }

  private static Optional<String> otherDimensions(
      Shape shape, List<? extends List<Box>> boxesByRank) {
    for (int rank = 0; rank < boxesByRank.size(); rank++) {
      for (Box box : boxesByRank.get(rank)) {
        if (box.dimensions() != shape.dimensions()) {
          return Optional.of(outside(rank, box, shape));
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> flaw(Shape shape, Distribution distribution) {
    for (int number = 0; number < distribution.partCount(); number++) {
      Distribution.Part part = distribution.part(number);
      if (!shape.box().contains(part.box())) {
        return Optional.of(outside(part.rank(), part.box(), shape));
      }
      int[] sharing = distribution.sharing(part.box());
      if (sharing.length > 1) {
        int other = sharing[0] == number ? sharing[1] : sharing[0];
        return Optional.of(overlap(part, distribution.part(other)));
      }
    }
    return Optional.empty();
  }

  private static String outside(int rank, Box box, Shape shape) {
    return String.format("the box %s of rank %d does not lie in the shape %s.", box, rank, shape);
  }

  private static String overlap(Distribution.Part one, Distribution.Part other) {
    return String.format(
        "the box %s of rank %d and the box %s of rank %d overlap in %s; a cell has one owner, and"
            + " halos do not count.",
        one.box(), one.rank(), other.box(), other.rank(), one.box().intersection(other.box()));
  }
}
