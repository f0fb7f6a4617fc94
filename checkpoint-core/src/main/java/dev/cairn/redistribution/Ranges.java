package dev.cairn.redistribution;

/** Numbers from 0 dealt out in consecutive ranges, one for each rank, any of them empty. */
final class Ranges {
  /** Where each range begins, and behind the last one where it ends. */
  private final long[] starts;

  /** The ranges of these lengths. */
  Ranges(long[] counts) {
    starts = new long[counts.length + 1];
    for (int rank = 0; rank < counts.length; rank++) {
      starts[rank + 1] = Math.addExact(starts[rank], counts[rank]);
    }
  }

  long start(int rank) {
    return starts[rank];
  }

  /** How many numbers there are in all. */
  long count() {
    return starts[starts.length - 1];
  }

  /** The rank whose range has a number, which must be one of them: the last that begins by then. */
  int rankOf(long number) {
    int low = 0;
    int high = starts.length - 1;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (starts[middle] <= number) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
