package dev.cairn.sion.stripe;

import java.util.Iterator;
import java.util.List;

/**
 * A part of a logical file, as extents in ascending order that neither overlap nor touch, none of
 * them empty. They are computed one at a time while they are asked for, so a selection of millions
 * of extents takes no memory. Selections are immutable, so any thread may use them; each iterator
 * belongs to one thread.
 */
public interface Selection extends Iterable<Extent> {

  @Override
  Iterator<Extent> iterator();

  /** One extent, or nothing if {@code length} is 0. */
  static Selection of(long offset, long length) {
    return of(List.of(new Extent(offset, length)));
  }

  /**
   * The bytes of these extents. Neighbours become one extent, and empty ones are left out.
   *
   * @throws IllegalArgumentException if they overlap or do not ascend
   */
  static Selection of(List<Extent> extents) {
    List<Extent> kept = List.copyOf(extents);
    for (int number = 1; number < kept.size(); number++) {
      if (kept.get(number).offset() < kept.get(number - 1).end()) {
        throw new IllegalArgumentException(
            String.format(
                "The extent at %d begins before the end of the one in front of it, %d. Sort the"
                    + " extents, and take bytes that belong to several of them once.",
                kept.get(number).offset(), kept.get(number - 1).end()));
      }
    }
    return () -> new MergingIterator(kept.iterator());
  }

  /** Every byte that is in at least one of the selections. */
  static Selection union(List<? extends Selection> selections) {
    List<Selection> kept = List.copyOf(selections);
    return () -> new MergingIterator(new AscendingIterator(kept));
  }
}
