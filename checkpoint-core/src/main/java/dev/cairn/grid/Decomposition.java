package dev.cairn.grid;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A regular decomposition of an array: each dimension is cut into parts, and the ranks, in
 * row-major order, have one block each. A rank whose block is empty has no box. Any decomposition
 * that is not regular is a list of boxes for each rank, without this class. Immutable; any thread
 * or rank may share one.
 */
public final class Decomposition {
  private final Shape shape;
  private final Cuts[] cuts;
  private final int rankCount;

  private Decomposition(Shape shape, Cuts[] cuts) {
    this.shape = shape;
    this.cuts = cuts;
    this.rankCount = Arrays.stream(cuts).mapToInt(Cuts::partCount).reduce(1, Math::multiplyExact);
  }

  /** Nearly equal shares of the first dimension; the longer ones go to the first ranks. */
  public static Decomposition rows(Shape shape, int rankCount) {
    int[] parts = new int[shape.dimensions()];
    Arrays.fill(parts, 1);
    parts[0] = rankCount;
    return grid(shape, parts);
  }

  /** Nearly equal blocks that are as like to cubes as the factors of {@code rankCount} allow. */
  public static Decomposition blocks(Shape shape, int rankCount) {
    requirePart(rankCount);
    return grid(shape, ProcessGrid.choose(shape, rankCount));
  }

  /** Nearly equal blocks: for each dimension, into how many parts it is cut. */
  public static Decomposition grid(Shape shape, int... parts) {
    requireOnePerDimension(shape, parts.length, "part counts");
    Arrays.stream(parts).forEach(Decomposition::requirePart);
    Cuts[] cuts = new Cuts[parts.length];
    Arrays.setAll(cuts, d -> new Cuts.Equal(shape.extent(d), parts[d]));
    return new Decomposition(shape, cuts);
  }

  /**
   * Blocks of any sizes: for each dimension, where a new part begins behind the first one. {@code
   * {3, 7}} cuts a dimension of 10 cells into parts of 3, 4 and 3; {@code {}} leaves it whole.
   */
  public static Decomposition cuts(Shape shape, long[]... positions) {
    requireOnePerDimension(shape, positions.length, "lists of cuts");
    Cuts[] cuts = new Cuts[positions.length];
    Arrays.setAll(cuts, d -> new Cuts.Given(d, shape.extent(d), positions[d]));
    return new Decomposition(shape, cuts);
  }

  private static void requirePart(int count) {
    if (count < 1) {
      throw new IllegalArgumentException(
          String.format("an array is decomposed into at least 1 part, not %d.", count));
    }
  }

  private static void requireOnePerDimension(Shape shape, int count, String what) {
    if (count != shape.dimensions()) {
      throw new IllegalArgumentException(
          String.format(
              "the shape %s needs %d %s, one for each dimension, not %d.",
              shape, shape.dimensions(), what, count));
    }
  }

  public Shape shape() {
    return shape;
  }

  public int rankCount() {
    return rankCount;
  }

  /** The block of one rank as a list: of one box, or of none if the block is empty. */
  public List<Box> boxes(int rank) {
    Box block = block(rank);
    return block.isEmpty() ? List.of() : List.of(block);
  }

  /** The boxes of all ranks. */
  public List<List<Box>> boxes() {
    return IntStream.range(0, rankCount).mapToObj(this::boxes).toList();
  }

  /**
   * The rank whose block holds a cell.
   *
   * @throws IndexOutOfBoundsException if there is no such cell
   */
  public int rankOf(long... cell) {
    if (!shape.box().contains(cell)) {
      throw new IndexOutOfBoundsException(
          String.format("the shape %s has no cell %s.", shape, Arrays.toString(cell)));
    }
    int rank = 0;
    for (int dimension = 0; dimension < cuts.length; dimension++) {
      rank = rank * cuts[dimension].partCount() + cuts[dimension].partAt(cell[dimension]);
    }
    return rank;
  }

  /** The ranks whose blocks share cells with {@code area}, in rising order. */
  public int[] ranksIn(Box area) {
    IntStream.Builder ranks = IntStream.builder();
    Box cells = area.intersection(shape.box());
    if (!cells.isEmpty()) {
      addRanksIn(cells, 0, 0, ranks);
    }
    return ranks.build().toArray();
  }

  private void addRanksIn(Box cells, int dimension, int rank, IntStream.Builder ranks) {
    if (dimension == cuts.length) {
      ranks.add(rank);
      return;
    }
    Cuts cut = cuts[dimension];
    int last = cut.partAt(cells.end(dimension) - 1);
    for (int part = cut.partAt(cells.start(dimension)); part <= last; part++) {
      if (cut.start(part) < cut.start(part + 1)) {
        addRanksIn(cells, dimension + 1, rank * cut.partCount() + part, ranks);
      }
    }
  }

  /** Such as {@code 37x23 in 4 equal parts x parts cut at [7, 12]}. */
  @Override
  public String toString() {
    return Arrays.stream(cuts)
        .map(Cuts::toString)
        .collect(Collectors.joining(" x ", shape + " in ", ""));
  }

  private Box block(int rank) {
    if (rank < 0 || rank >= rankCount) {
      throw new IndexOutOfBoundsException(
          String.format("rank %d is not one of the %d of this decomposition.", rank, rankCount));
    }
    long[] start = new long[cuts.length];
    long[] extents = new long[cuts.length];
    int rest = rank;
    for (int dimension = cuts.length - 1; dimension >= 0; dimension--) {
      int part = rest % cuts[dimension].partCount();
      rest /= cuts[dimension].partCount();
      start[dimension] = cuts[dimension].start(part);
      extents[dimension] = cuts[dimension].start(part + 1) - start[dimension];
    }
    return Box.of(start, extents);
  }
}
