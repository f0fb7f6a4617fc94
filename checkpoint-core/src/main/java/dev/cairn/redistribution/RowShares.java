package dev.cairn.redistribution;

import dev.cairn.grid.Box;
import dev.cairn.grid.Decomposition;
import dev.cairn.grid.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of all writers, one after another, dealt to any number of ranks in nearly equal shares
 * of consecutive rows, the longer ones first. Immutable; any thread may share one.
 */
public final class RowShares {
  private final Ranges writers;

  private final Decomposition shares;

  private RowShares(Ranges writers, Decomposition shares) {
    this.writers = writers;
    this.shares = shares;
  }

  /** Deals the rows that each writer stored to {@code rankCount} ranks. */
  public static RowShares of(long[] rowCounts, int rankCount) {
    for (int writer = 0; writer < rowCounts.length; writer++) {
      if (rowCounts[writer] < 0) {
        throw new IllegalArgumentException(
            String.format("writer %d cannot have %d rows.", writer, rowCounts[writer]));
      }
    }
    Ranges writers = new Ranges(rowCounts);
    return new RowShares(writers, Decomposition.rows(Shape.of(writers.count()), rankCount));
  }

  /** How many rows a rank gets. */
  public long rowCount(int rank) {
    return shares.boxes(rank).stream().mapToLong(Box::cellCount).sum();
  }

  /** Where the rows of one rank are stored, in their order. */
  public List<StoredRows> stored(int rank) {
    List<StoredRows> stored = new ArrayList<>();
    for (Box share : shares.boxes(rank)) {
      long next = share.start(0);
      for (int writer = writers.rankOf(next); next < share.end(0); writer++) {
        long end = Math.min(share.end(0), writers.end(writer));
        if (end > next) {
          stored.add(new StoredRows(writer, next - writers.start(writer), end - next, next));
        }
        next = end;
      }
    }
    return stored;
  }
}
