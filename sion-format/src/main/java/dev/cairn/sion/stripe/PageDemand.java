package dev.cairn.sion.stripe;

import java.util.ArrayList;
import java.util.List;

/**
 * How many bytes of a page without a place a rank is about to write.
 *
 * @param page the page
 * @param rank the rank
 * @param bytes at least 1
 */
public record PageDemand(long page, int rank, long bytes) {
  /** Refuses negative numbers, and a demand for nothing. */
  public PageDemand {
    Positions.requirePosition(page);
    if (rank < 0 || bytes < 1) {
      throw new IllegalArgumentException(
          String.format("Rank %d cannot write %d bytes of page %d.", rank, bytes, page));
    }
  }

  /** The demands of one rank: for each page of its request that has no place yet, in order. */
  public static List<PageDemand> of(PageTable table, int rank, Selection request) {
    List<PageDemand> demands = new ArrayList<>();
    for (Extent extent : request) {
      long next = extent.offset();
      while (next < extent.end()) {
        long page = next / table.pageSize();
        long bytes = Math.min(extent.end() - next, table.pageSize() - next % table.pageSize());
        if (!table.holds(page)) {
          add(demands, new PageDemand(page, rank, bytes));
        }
        next += bytes;
      }
    }
    return List.copyOf(demands);
  }

  /** Several extents of a request can lie in one page. */
  private static void add(List<PageDemand> demands, PageDemand next) {
    int last = demands.size() - 1;
    if (last >= 0 && demands.get(last).page() == next.page()) {
      long bytes = demands.get(last).bytes() + next.bytes();
      demands.set(last, new PageDemand(next.page(), next.rank(), bytes));
    } else {
      demands.add(next);
    }
  }
}
