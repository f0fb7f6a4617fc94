package dev.cairn.sion.stripe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Gives new pages their places: each goes to the sub-file that is closest to the ranks that write
 * it. The rule depends on its arguments only, so ranks that have the same table and the same
 * demands get the same new table without a message.
 *
 * <p>The score of a sub-file for a page is the sum of the bytes of each rank, times its closeness:
 * 3 in the same process, 2 on the same node, 1 in the same group, 0 otherwise. The greatest score
 * wins; among equal ones the sub-file with the fewest pages, and among those the lowest number.
 */
public final class PagePlacement {
  private final ClosenessRule closeness;

  private PagePlacement(ClosenessRule closeness) {
    this.closeness = closeness;
  }

  /** A placement that takes closeness from {@code closeness}. */
  public static PagePlacement by(ClosenessRule closeness) {
    return new PagePlacement(closeness);
  }

  /**
   * Places the pages that are demanded and have no place yet, in ascending order.
   *
   * @param demands those of all ranks, in any order
   * @throws ArithmeticException if a score is larger than 2^63 - 1
   */
  public PageTable place(PageTable table, List<Demand> demands) {
    SortedMap<Long, List<Demand>> byPage = new TreeMap<>();
    for (Demand demand : demands) {
      if (!table.holds(demand.page())) {
        byPage.computeIfAbsent(demand.page(), none -> new ArrayList<>()).add(demand);
      }
    }
    long[] nextSlots = new long[table.subFileCount()];
    for (int subFile = 0; subFile < nextSlots.length; subFile++) {
      nextSlots[subFile] = table.pageCount(subFile);
    }
    List<PageTable.Run> runs = new ArrayList<>(table.runs());
    byPage.forEach(
        (page, ofPage) -> {
          int chosen = choose(ofPage, nextSlots);
          runs.add(new PageTable.Run(page, 1, chosen, nextSlots[chosen]++));
        });
    runs.sort(Comparator.comparingLong(PageTable.Run::page));
    return PageTable.of(table.pageSize(), table.subFileCount(), runs);
  }

  /** A sub-file has as many pages as its next slot says. */
  private int choose(List<Demand> demands, long[] pageCounts) {
    int best = 0;
    long bestScore = score(demands, 0);
    for (int subFile = 1; subFile < pageCounts.length; subFile++) {
      long score = score(demands, subFile);
      boolean wins =
          score == bestScore ? pageCounts[subFile] < pageCounts[best] : score > bestScore;
      if (wins) {
        best = subFile;
        bestScore = score;
      }
    }
    return best;
  }

  private long score(List<Demand> demands, int subFile) {
    long score = 0;
    for (Demand demand : demands) {
      int weight = closeness.between(demand.rank(), subFile).weight();
      score = Math.addExact(score, Math.multiplyExact(demand.bytes(), weight));
    }
    return score;
  }

  /** How close a rank is to the process that writes a sub-file. */
  public enum Closeness {
    /** Farther away than any other constant says. */
    REMOTE(0),
    /** On another node of the same group: a switch, for instance. */
    SAME_GROUP(1),
    /** In another process of the same node. */
    SAME_NODE(2),
    /** The rank itself writes the sub-file. */
    SAME_PROCESS(3);

    private final int weight;

    Closeness(int weight) {
      this.weight = weight;
    }

    /** What a byte counts in the choice of a sub-file. */
    int weight() {
      return weight;
    }
  }

  /** Says how close ranks are to sub-files. The answers never change while a file is open. */
  @FunctionalInterface
  public interface ClosenessRule {
    Closeness between(int rank, int subFile);
  }

  /**
   * How many bytes of a page without a place a rank is about to write.
   *
   * @param page the page
   * @param rank the rank
   * @param bytes at least 1
   */
  public record Demand(long page, int rank, long bytes) {
    /** Refuses negative numbers, and a demand for nothing. */
    public Demand {
      Positions.requirePosition(page);
      if (rank < 0 || bytes < 1) {
        throw new IllegalArgumentException(
            String.format("Rank %d cannot write %d bytes of page %d.", rank, bytes, page));
      }
    }

    /** The demands of one rank: for each page of its request that has no place yet, in order. */
    public static List<Demand> of(PageTable table, int rank, Selection request) {
      List<Demand> demands = new ArrayList<>();
      for (Extent extent : request) {
        long next = extent.offset();
        while (next < extent.end()) {
          long page = next / table.pageSize();
          long bytes = Math.min(extent.end() - next, table.pageSize() - next % table.pageSize());
          if (!table.holds(page)) {
            add(demands, new Demand(page, rank, bytes));
          }
          next += bytes;
        }
      }
      return List.copyOf(demands);
    }

    /** Several extents of a request can lie in one page. */
    private static void add(List<Demand> demands, Demand next) {
      int last = demands.size() - 1;
      if (last >= 0 && demands.get(last).page() == next.page()) {
        long bytes = demands.get(last).bytes() + next.bytes();
        demands.set(last, new Demand(next.page(), next.rank(), bytes));
      } else {
        demands.add(next);
      }
    }
  }
}
