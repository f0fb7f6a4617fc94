package dev.cairn.sion.stripe;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/** The extents of several selections in the order of their offsets. */
final class AscendingIterator implements Iterator<Extent> {
  private final PriorityQueue<Head> heads =
      new PriorityQueue<>(Comparator.comparingLong(head -> head.extent().offset()));

  /** The next extent of a selection, and those behind it. */
  private record Head(Extent extent, Iterator<Extent> rest) {}

  AscendingIterator(List<Selection> selections) {
    selections.forEach(selection -> add(selection.iterator()));
  }

  @Override
  public boolean hasNext() {
    return !heads.isEmpty();
  }

  @Override
  public Extent next() {
    Head head = heads.remove();
    add(head.rest());
    return head.extent();
  }

  private void add(Iterator<Extent> extents) {
    if (extents.hasNext()) {
      heads.add(new Head(extents.next(), extents));
    }
  }
}
