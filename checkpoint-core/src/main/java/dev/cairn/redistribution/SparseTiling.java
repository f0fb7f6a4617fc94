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
    return Tiling.boxOutside(shape, boxesByRank)
        .or(() -> overlap(Distribution.of(boxesByRank)))
        .map(flaw -> item + ": " + flaw);
  }

  private static Optional<String> overlap(Distribution distribution) {
    for (int number = 0; number < distribution.partCount(); number++) {
      Distribution.Part part = distribution.part(number);
      int[] sharing = distribution.sharing(part.box());
      if (sharing.length > 1) {
        int other = sharing[0] == number ? sharing[1] : sharing[0];
        return Optional.of(Tiling.overlap(part, distribution.part(other)));
      }
    }
    return Optional.empty();
  }
}
