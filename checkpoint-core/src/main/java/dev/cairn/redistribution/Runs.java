package dev.cairn.redistribution;

import dev.cairn.grid.Box;

/**
 * Cells that lie in two images at once, as runs that are consecutive in both: rows, or as many rows
 * together as follow each other on both sides. Immutable.
 */
public final class Runs {
  private static final long[] NONE = {};

  private final long hereStart;
  private final long thereStart;

  /** For each dimension that no run crosses: how many rows, and the steps between them. */
  private final long[] rowCounts;

  private final long[] hereSteps;
  private final long[] thereSteps;

  private final int runCells;

  /** The action for one run. */
  @FunctionalInterface
  public interface Visitor {
    /** The run is {@code count} cells from these two positions. */
    void visit(long here, long there, int count);
  }

  private Runs(long here, long there, int count) {
    this.runCells = count;
    this.hereStart = here;
    this.thereStart = there;
    this.rowCounts = NONE;
    this.hereSteps = NONE;
    this.thereSteps = NONE;
  }

  private Runs(Box cells, Image here, Image there) {
    int outer = cells.dimensions() - 1;
    long run = cells.extent(outer);
    while (outer > 0 && isWhole(outer, cells, here) && isWhole(outer, cells, there)) {
      outer--;
      run *= cells.extent(outer);
    }
    this.runCells = Math.toIntExact(run);
    this.hereStart = position(cells, here);
    this.thereStart = position(cells, there);
    this.rowCounts = new long[outer];
    for (int dimension = 0; dimension < outer; dimension++) {
      rowCounts[dimension] = cells.extent(dimension);
    }
    this.hereSteps = steps(here.box(), outer);
    this.thereSteps = steps(there.box(), outer);
  }

  /**
   * The runs of a box.
   *
   * @param cells which cells; both images must hold them
   * @param here where they lie on the one side
   * @param there where they lie on the other side
   * @throws IllegalArgumentException if an image does not hold all of the cells
   * @throws ArithmeticException if a run is longer than any array
   */
  public static Runs of(Box cells, Image here, Image there) {
    if (!here.box().contains(cells) || !there.box().contains(cells)) {
      throw new IllegalArgumentException(
          String.format(
              "the cells %s are not all in both %s and %s.", cells, here.box(), there.box()));
    }
    return new Runs(cells, here, there);
  }

  /** The one run of {@code count} cells from these two positions. */
  public static Runs row(long here, long there, int count) {
    return new Runs(here, there, count);
  }

  private static boolean isWhole(int dimension, Box cells, Image image) {
    return cells.extent(dimension) == image.box().extent(dimension);
  }

  private static long position(Box cells, Image image) {
    long index = 0;
    for (int dimension = 0; dimension < cells.dimensions(); dimension++) {
      index =
          index * image.box().extent(dimension)
              + (cells.start(dimension) - image.box().start(dimension));
    }
    return image.start() + index;
  }

  private static long[] steps(Box box, int count) {
    long[] steps = new long[count];
    long step = 1;
    for (int dimension = box.dimensions() - 1; dimension > 0; dimension--) {
      step *= box.extent(dimension);
      if (dimension <= count) {
        steps[dimension - 1] = step;
      }
    }
    return steps;
  }

  /** Visits the runs in row-major order. */
  public void forEach(Visitor visitor) {
    if (runCells > 0) {
      visit(0, hereStart, thereStart, visitor);
    }
  }

  private void visit(int dimension, long here, long there, Visitor visitor) {
    if (dimension == rowCounts.length) {
      visitor.visit(here, there, runCells);
      return;
    }
    for (long row = 0; row < rowCounts[dimension]; row++) {
      visit(
          dimension + 1,
          here + row * hereSteps[dimension],
          there + row * thereSteps[dimension],
          visitor);
    }
  }
}
