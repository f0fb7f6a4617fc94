package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.Variable;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Counts values out of range, by their puts. One thread at a time. */
final class RangeLosses {
  /** A put, by the rank of its log and its number there. */
  private record Put(int rank, int number) {}

  private final TreeMap<Put, BurstReplay.RangeLoss> byPut =
      new TreeMap<>(Comparator.comparingInt(Put::rank).thenComparingInt(Put::number));

  /** Counts a value of a put, which belongs to {@code indices} of its variable. */
  void add(int rank, int put, Variable variable, long[] indices) {
    byPut.merge(
        new Put(rank, put),
        new BurstReplay.RangeLoss(rank, put, variable, 1, indices),
        BurstReplay.RangeLoss::with);
  }

  /** All puts that have such values, by rank and number. */
  List<BurstReplay.RangeLoss> list() {
    return List.copyOf(byPut.values());
  }
}
