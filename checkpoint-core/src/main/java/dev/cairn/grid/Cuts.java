package dev.cairn.grid;

import java.util.Arrays;

/** One dimension cut into consecutive parts, of which any may be empty. */
sealed interface Cuts {
  int partCount();

  /** Where a part begins; the one behind the last part begins where the dimension ends. */
  long start(int part);

  /** The part that holds a position of the dimension; it is not empty. */
  default int partAt(long position) {
    int low = 0;
    int high = partCount() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (start(middle) <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Parts whose lengths differ by one at most, the longer ones first. */
  record Equal(long extent, int partCount) implements Cuts {
    @Override
    public long start(int part) {
      return extent / partCount * part + Math.min(part, extent % partCount);
    }

    @Override
    public String toString() {
      return partCount + " equal parts";
    }
  }

  /** Parts that begin and end where the caller says. */
  final class Given implements Cuts {
    /** How many cuts are named one by one; more are told apart by a hash. */
    private static final int MOST_NAMED = 16;

    private final long[] borders;

    /**
     * @param inner the positions of the cuts, in order, without 0 and the extent itself
     */
    Given(int dimension, long extent, long[] inner) {
      borders = new long[inner.length + 2];
      System.arraycopy(inner, 0, borders, 1, inner.length);
      borders[inner.length + 1] = extent;
      for (int part = 0; part < partCount(); part++) {
        if (borders[part] > borders[part + 1]) {
          throw new IllegalArgumentException(
              String.format(
                  "the cuts %s of dimension %d do not rise from 0 to its extent %d.",
                  Arrays.toString(inner), dimension, extent));
        }
      }
    }

    @Override
    public int partCount() {
      return borders.length - 1;
    }

    @Override
    public long start(int part) {
      return borders[part];
    }

    @Override
    public String toString() {
      long[] inner = Arrays.copyOfRange(borders, 1, borders.length - 1);
      return inner.length <= MOST_NAMED
          ? "parts cut at " + Arrays.toString(inner)
          : String.format("%d parts with the hash %08x", partCount(), Arrays.hashCode(inner));
    }
  }
}
