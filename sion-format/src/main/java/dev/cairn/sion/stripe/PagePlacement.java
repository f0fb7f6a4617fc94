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
  public PageTable place(PageTable table, List<PageDemand> demands) {
    SortedMap<Long, List<PageDemand>> byPage = new TreeMap<>();
    for (PageDemand demand : demands) {
      if (!table.holds(demand.page())) {
        byPage.computeIfAbsent(demand.page(), none -> new ArrayList<>()).add(demand);
      }
    }
    long[] nextSlots = new long[table.subFileCount()];
    for (int subFile = 0; subFile < nextSlots.length; subFile++) {
      nextSlots[subFile] = table.pageCount(subFile);
    }
    List<PageRun> runs = new ArrayList<>(table.runs());
    byPage.forEach(
        (page, ofPage) -> {
          int chosen = choose(ofPage, nextSlots);
          runs.add(new PageRun(page, 1, chosen, nextSlots[chosen]++));
        });
    runs.sort(Comparator.comparingLong(PageRun::page));
    return PageTable.of(table.pageSize(), table.subFileCount(), runs);
  }

  /** A sub-file has as many pages as its next slot says. */
  private int choose(List<PageDemand> demands, long[] pageCounts) {
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

  private long score(List<PageDemand> demands, int subFile) {
    long score = 0;
    for (PageDemand demand : demands) {
      int weight = closeness.between(demand.rank(), subFile).weight();
      score = Math.addExact(score, Math.multiplyExact(demand.bytes(), weight));
    }
    return score;
  }
}
