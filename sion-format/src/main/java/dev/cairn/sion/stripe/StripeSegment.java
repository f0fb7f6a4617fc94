package dev.cairn.sion.stripe;

import java.util.HashSet;
import java.util.List;

/**
 * A part of a logical file with a striping of its own.
 *
 * @param begin where it begins in the logical file; it ends where the next one begins
 * @param depth the bytes of a stripe
 * @param subFiles the sub-files that it uses, in the order in which they take stripes; each once
 */
public record StripeSegment(long begin, long depth, List<Integer> subFiles) {
  /** Refuses a segment that no file can have. */
  public StripeSegment {
    subFiles = List.copyOf(subFiles);
    Positions.requirePosition(begin);
    Striping.of(depth, subFiles.size());
    if (new HashSet<>(subFiles).size() < subFiles.size()) {
      throw new IllegalArgumentException(
          "The segment at " + begin + " names a sub-file twice: " + subFiles + ".");
    }
  }

  /** The striping of the segment, which numbers its sub-files from 0 on. */
  Striping striping() {
    return Striping.of(depth, subFiles.size());
  }
}
