package dev.cairn.redistribution;

import dev.cairn.grid.Box;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Which rank has which boxes of a field, with an index over them. Ranks may have several boxes or
 * none, and boxes of different ranks may overlap where they are requests. Immutable; any thread may
 * share one, and all fields with the same boxes should.
 */
public final class Distribution {
  private final List<Part> parts;

  /** The first part of each rank, and behind the last rank the number of parts. */
  private final int[] firstParts;

  private final BoxIndex index;

  /**
   * A box that is not empty.
   *
   * @param number which of the rank's boxes it is, the empty ones counted
   */
  public record Part(int rank, int number, Box box) {}

  private Distribution(List<Part> parts, int[] firstParts) {
    this.parts = parts;
    this.firstParts = firstParts;
    this.index = new BoxIndex(parts.stream().map(Part::box).toArray(Box[]::new));
  }

  /**
   * A distribution.
   *
   * @param boxesByRank the boxes of each rank, all with the same number of dimensions
   */
  public static Distribution of(List<? extends List<Box>> boxesByRank) {
    List<Part> parts = new ArrayList<>();
    int[] firstParts = new int[boxesByRank.size() + 1];
    for (int rank = 0; rank < boxesByRank.size(); rank++) {
      List<Box> boxes = boxesByRank.get(rank);
      for (int number = 0; number < boxes.size(); number++) {
        if (!boxes.get(number).isEmpty()) {
          parts.add(new Part(rank, number, boxes.get(number)));
        }
      }
      firstParts[rank + 1] = parts.size();
    }
    parts.forEach(part -> requireSameDimensions(part, parts.get(0)));
    return new Distribution(List.copyOf(parts), firstParts);
  }

  private static void requireSameDimensions(Part part, Part first) {
    if (part.box.dimensions() != first.box.dimensions()) {
      throw new IllegalArgumentException(
          String.format(
              "the box %s of rank %d has %d dimensions, but the box %s of rank %d has %d.",
              part.box,
              part.rank,
              part.box.dimensions(),
              first.box,
              first.rank,
              first.box.dimensions()));
    }
  }

  public int rankCount() {
    return firstParts.length - 1;
  }

  /** The number of cells of all ranks; a cell that several ranks have is counted for each. */
  public long cellCount() {
    return parts.stream().mapToLong(part -> part.box.cellCount()).reduce(0, Math::addExact);
  }

  /** The cells of {@code area} that any rank has, as a box for each part that shares some. */
  public List<Box> boxesIn(Box area) {
    return Arrays.stream(sharing(area))
        .mapToObj(number -> parts.get(number).box.intersection(area))
        .toList();
  }

  /** Some cells of {@code area} that no rank has, as one box; nothing if ranks have all of them. */
  public Optional<Box> gapIn(Box area) {
    return gap(area, boxesIn(area), 0);
  }

  /** Cuts away what the next box holds; what is left of the area is searched side by side. */
  private static Optional<Box> gap(Box area, List<Box> held, int next) {
    for (int number = next; number < held.size(); number++) {
      if (held.get(number).intersects(area)) {
        return gapBesides(held.get(number), area, held, number + 1);
      }
    }
    return area.isEmpty() ? Optional.empty() : Optional.of(area);
  }

  private static Optional<Box> gapBesides(Box hole, Box area, List<Box> held, int next) {
    for (Box rest : without(area, hole)) {
      Optional<Box> found = gap(rest, held, next);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** The cells of {@code area} that are not in {@code hole}, as boxes. */
  public static List<Box> without(Box area, Box hole) {
    Box shared = hole.intersection(area);
    if (shared.isEmpty()) {
      return List.of(area);
    }
    List<Box> rest = new ArrayList<>();
    Box middle = area;
    for (int dimension = 0; dimension < area.dimensions(); dimension++) {
      long start = shared.start(dimension);
      long end = shared.end(dimension);
      rest.add(between(middle, dimension, middle.start(dimension), start));
      rest.add(between(middle, dimension, end, middle.end(dimension)));
      middle = between(middle, dimension, start, end);
    }
    rest.removeIf(Box::isEmpty);
    return rest;
  }

  private static Box between(Box box, int dimension, long from, long to) {
    long[] start = new long[box.dimensions()];
    long[] extents = new long[box.dimensions()];
    for (int d = 0; d < start.length; d++) {
      start[d] = d == dimension ? from : box.start(d);
      extents[d] = d == dimension ? to - from : box.extent(d);
    }
    return Box.of(start, extents);
  }

  int firstPart(int rank) {
    return firstParts[rank];
  }

  int partCount() {
    return parts.size();
  }

  Part part(int number) {
    return parts.get(number);
  }

  List<Part> parts(int rank) {
    return parts.subList(firstParts[rank], firstParts[rank + 1]);
  }

  /** The numbers of all parts that share cells with {@code area}, in the order of their ranks. */
  int[] sharing(Box area) {
    return index.sharing(area);
  }
}
