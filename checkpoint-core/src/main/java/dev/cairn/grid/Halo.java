package dev.cairn.grid;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How many cells beyond its own a rank sees on both sides of each dimension, and which dimensions
 * are periodic: there the cell behind the last one is the first one. Corners belong to it.
 * Immutable; any thread or rank may share one.
 */
public final class Halo {
  /** No cells beyond its own. */
  public static final Halo NONE = new Halo(new int[] {0}, new boolean[Shape.MAX_DIMENSIONS]);

  /** One for all dimensions, or one for each. */
  private final int[] widths;

  private final boolean[] periodic;

  private Halo(int[] widths, boolean[] periodic) {
    this.widths = widths;
    this.periodic = periodic;
  }

  /**
   * A halo that ends where the array ends.
   *
   * @param widths how many cells: one number for all dimensions, or one for each
   */
  public static Halo of(int... widths) {
    if (widths.length < 1
        || widths.length > Shape.MAX_DIMENSIONS
        || Arrays.stream(widths).anyMatch(width -> width < 0)) {
      throw new IllegalArgumentException(
          String.format(
              "a halo has one width of at least 0, or one for each of up to %d dimensions, not %s.",
              Shape.MAX_DIMENSIONS, Arrays.toString(widths)));
    }
    return new Halo(widths.clone(), new boolean[Shape.MAX_DIMENSIONS]);
  }

  /** The same widths, for an array that is periodic in all dimensions. */
  public Halo periodic() {
    boolean[] all = new boolean[Shape.MAX_DIMENSIONS];
    Arrays.fill(all, true);
    return new Halo(widths, all);
  }

  /** The same widths, for an array that is periodic in these dimensions, which count from 0. */
  public Halo periodicIn(int... dimensions) {
    boolean[] some = new boolean[Shape.MAX_DIMENSIONS];
    for (int dimension : dimensions) {
      if (dimension < 0 || dimension >= Shape.MAX_DIMENSIONS) {
        throw new IllegalArgumentException(
            String.format(
                "dimensions count from 0 to at most %d, so a halo cannot be periodic in %d.",
                Shape.MAX_DIMENSIONS - 1, dimension));
      }
      some[dimension] = true;
    }
    return new Halo(widths, some);
  }

  /**
   * Refuses an array for which this halo is not made.
   *
   * @param dimensions how many dimensions the array has
   * @throws IllegalArgumentException if there is a width for each dimension and the array has more
   *     or fewer, or if it has none of the dimensions in which it should be periodic
   */
  public void requireFor(int dimensions) {
    if (widths.length > 1 && widths.length != dimensions) {
      throw new IllegalArgumentException(
          String.format(
              "the halo %s has %d widths, but the array has %s: give one width for each, or one for"
                  + " all.",
              this, widths.length, counted(dimensions)));
    }
    if (isPeriodicInAll()) {
      return;
    }
    for (int dimension = dimensions; dimension < periodic.length; dimension++) {
      if (periodic[dimension]) {
        throw new IllegalArgumentException(
            String.format(
                "the halo %s is periodic in dimension %d, but the array has %s: they count from 0.",
                this, dimension, counted(dimensions)));
      }
    }
  }

  private static String counted(int dimensions) {
    return dimensions == 1 ? "1 dimension" : dimensions + " dimensions";
  }

  private boolean isPeriodicInAll() {
    return IntStream.range(0, periodic.length).allMatch(d -> periodic[d]);
  }

  /**
   * How many cells there are on each side of one dimension.
   *
   * @throws IllegalArgumentException if there is a width for each dimension, and none for this one
   */
  public int width(int dimension) {
    if (widths.length > 1 && dimension >= widths.length) {
      requireFor(dimension + 1);
    }
    return widths.length == 1 ? widths[0] : widths[dimension];
  }

  public boolean isPeriodic(int dimension) {
    return periodic[dimension];
  }

  /**
   * The cells of {@code box} and of the halo around it; an empty box has none.
   *
   * @throws IllegalArgumentException as {@link #requireFor}
   */
  public Box around(Box box) {
    requireFor(box.dimensions());
    if (box.isEmpty()) {
      return box;
    }
    long[] start = new long[box.dimensions()];
    long[] extents = new long[start.length];
    for (int d = 0; d < start.length; d++) {
      start[d] = box.start(d) - width(d);
      extents[d] = box.extent(d) + 2L * width(d);
    }
    return Box.of(start, extents);
  }

  /** Such as {@code 1}, {@code 1, periodic}, or {@code 2x0x1, periodic in 0, 2}. */
  @Override
  public String toString() {
    String sizes =
        Arrays.stream(widths).mapToObj(Integer::toString).collect(Collectors.joining("x"));
    if (isPeriodicInAll()) {
      return sizes + ", periodic";
    }
    String closed =
        IntStream.range(0, Shape.MAX_DIMENSIONS)
            .filter(d -> periodic[d])
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "));
    return closed.isEmpty() ? sizes : sizes + ", periodic in " + closed;
  }
}
