package dev.cairn.sion.log;

import java.util.Arrays;

/** The sequence numbers that a log cancels. It has 8 bytes for each, as the log has at least 56. */
final class Cancellations {
  private long[] sequences = {};
  private int count;
  private boolean isSorted = true;

  void add(long sequence) {
    if (count == sequences.length) {
      sequences = Arrays.copyOf(sequences, Math.max(8, 2 * count));
    }
    sequences[count++] = sequence;
    isSorted = false;
  }

  boolean has(long sequence) {
    if (!isSorted) {
      Arrays.sort(sequences, 0, count);
      isSorted = true;
    }
    return Arrays.binarySearch(sequences, 0, count, sequence) >= 0;
  }
}
