package dev.cairn.grid;

import java.util.Arrays;

/** How many parts each dimension gets, so that a given number of ranks have blocks like cubes. */
final class ProcessGrid {
  private ProcessGrid() {}

  /**
   * Gives the prime factors of {@code rankCount}, largest first, each to the dimension in which
   * blocks are longest by then: short sides mean little to exchange with the neighbours.
   */
  static int[] choose(Shape shape, int rankCount) {
    int[] parts = new int[shape.dimensions()];
    Arrays.fill(parts, 1);
    int[] factors = primeFactors(rankCount);
    for (int next = factors.length - 1; next >= 0; next--) {
      parts[longestSide(shape, parts)] *= factors[next];
    }
    return parts;
  }

  private static int longestSide(Shape shape, int[] parts) {
    int longest = 0;
    for (int dimension = 1; dimension < parts.length; dimension++) {
      if (side(shape, parts, dimension) > side(shape, parts, longest)) {
        longest = dimension;
      }
    }
    return longest;
  }

  private static double side(Shape shape, int[] parts, int dimension) {
    return (double) shape.extent(dimension) / parts[dimension];
  }

  /** In rising order. */
  private static int[] primeFactors(int number) {
    int[] factors = new int[Integer.SIZE];
    int count = 0;
    int rest = number;
    for (int factor = 2; factor <= rest / factor; factor++) {
      for (; rest % factor == 0; rest /= factor) {
        factors[count++] = factor;
      }
    }
    if (rest > 1) {
      factors[count++] = rest;
    }
    return Arrays.copyOf(factors, count);
  }
}
