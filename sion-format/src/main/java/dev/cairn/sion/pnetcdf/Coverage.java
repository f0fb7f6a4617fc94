package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.stripe.Extent;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which bytes were put. It takes some 100 bytes for each run of bytes without gaps, so puts of many
 * single cells that are not neighbours take the most. One thread at a time.
 */
final class Coverage {
  /** The end of each run by its start; runs neither overlap nor touch. */
  private final TreeMap<Long, Long> endByStart = new TreeMap<>();

  private long size;

  /** Adds an extent; returns how many of its bytes were there before. */
  long add(Extent extent) {
    long start = extent.offset();
    long end = extent.end();
    long there = 0;
    Map.Entry<Long, Long> run = endByStart.floorEntry(end);
    while (run != null && run.getValue() >= start) {
      long shared =
          Math.min(run.getValue(), extent.end()) - Math.max(run.getKey(), extent.offset());
      there += Math.max(0, shared);
      start = Math.min(start, run.getKey());
      end = Math.max(end, run.getValue());
      endByStart.remove(run.getKey());
      run = endByStart.floorEntry(end);
    }
    endByStart.put(start, end);
    size += extent.length() - there;
    return there;
  }

  /** How many bytes there are. */
  long size() {
    return size;
  }
}
