package dev.cairn.redistribution;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * One rank's part in a {@link FieldPlan}: the frames that hold cells which it wants, by the rank
 * that reads them. Immutable.
 */
public final class RankShare {
  private static final long[] NO_FRAMES = {};

  private final int rank;
  private final SortedMap<Integer, long[]> framesByReader = new TreeMap<>();

  RankShare(int rank, Map<Integer, LongStream.Builder> framesByReader) {
    this.rank = rank;
    framesByReader.forEach(
        (reader, frames) -> this.framesByReader.put(reader, frames.build().toArray()));
  }

  /** The numbers of the frames that this rank reads, in rising order. */
  public long[] reads() {
    return from(rank);
  }

  /** The other ranks that read for this one, in rising order. */
  public List<Integer> sources() {
    return framesByReader.keySet().stream().filter(reader -> reader != rank).toList();
  }

  /**
   * The numbers of the frames of which {@code source} sends pieces to this rank, in rising order,
   * which is that of sending.
   */
  public long[] from(int source) {
    return framesByReader.getOrDefault(source, NO_FRAMES).clone();
  }
}
