package dev.cairn.sion.stripe;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Joins extents, which come in the order of their offsets, with those they touch or overlap. */
final class MergingIterator implements Iterator<Extent> {
  private final Iterator<Extent> source;

  /** The next extent of the source that is not empty, which nothing was joined to yet. */
  private @Nullable Extent ahead;

  MergingIterator(Iterator<Extent> source) {
    this.source = source;
    this.ahead = nextOfSource();
  }

  @Override
  public boolean hasNext() {
    return ahead != null;
  }

  @Override
  public Extent next() {
    if (ahead == null) {
      throw new NoSuchElementException("The selection has no further extent.");
    }
    long offset = ahead.offset();
    long end = ahead.end();
    ahead = nextOfSource();
    while (ahead != null && ahead.offset() <= end) {
      end = Math.max(end, ahead.end());
      ahead = nextOfSource();
    }
    return new Extent(offset, end - offset);
  }

  private @Nullable Extent nextOfSource() {
    while (source.hasNext()) {
      Extent extent = source.next();
      if (extent.length() > 0) {
        return extent;
      }
    }
    return null;
  }
}
