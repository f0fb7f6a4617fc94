package dev.cairn.sion.stripe;

/**
 * Consecutive pages in consecutive slots of one sub-file.
 *
 * @param page the first page
 * @param count how many there are, at least 1
 * @param subFile the sub-file
 * @param slot the slot of the first page
 */
public record PageRun(long page, long count, int subFile, long slot) {
  /** Refuses negative numbers, and an end behind 2^63 - 1. */
  public PageRun {
    Positions.end(page, count);
    Positions.end(slot, count);
    if (count < 1 || subFile < 0) {
      throw new IllegalArgumentException(
          String.format("A run of %d pages in sub-file %d does not exist.", count, subFile));
    }
  }

  long pageEnd() {
    return page + count;
  }

  long slotEnd() {
    return slot + count;
  }

  boolean continues(PageRun before) {
    return subFile == before.subFile && page == before.pageEnd() && slot == before.slotEnd();
  }

  PageRun with(PageRun next) {
    return new PageRun(page, count + next.count, subFile, slot);
  }
}
