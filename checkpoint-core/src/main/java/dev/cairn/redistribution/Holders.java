package dev.cairn.redistribution;

import dev.cairn.grid.Box;
import dev.cairn.grid.Decomposition;
import java.util.Arrays;
import java.util.List;

/** Finds which ranks have the cells of an area. */
@FunctionalInterface
public interface Holders {
  /** The parts that share cells with {@code area}, those of lower ranks first. */
  List<Distribution.Part> in(Box area);

  /** Those of a decomposition, which works them out without asking every rank. */
  static Holders of(Decomposition decomposition) {
    return area ->
        Arrays.stream(decomposition.ranksIn(area))
            .mapToObj(rank -> new Distribution.Part(rank, 0, decomposition.boxes(rank).get(0)))
            .toList();
  }

  /** Those of any boxes, which are known for all ranks. */
  static Holders of(Distribution distribution) {
    return area -> Arrays.stream(distribution.sharing(area)).mapToObj(distribution::part).toList();
  }
}
