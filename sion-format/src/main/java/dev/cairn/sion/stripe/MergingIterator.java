package dev.cairn.sion.stripe;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Joins extents, which come in the order of their offsets, with those they touch or overlap. */
final class MergingIterator implements Iterator<LogicalExtent> {
  private final Iterator<LogicalExtent> source;

  /** The next extent of the source that is not empty, which nothing was joined to yet. */
  private @Nullable LogicalExtent ahead;

  MergingIterator(Iterator<LogicalExtent> source) {
    this.source = source;
    this.ahead = nextOfSource();
  }

  @Override
  public boolean hasNext() {
    return ahead != null;
  }

  @Override
  public LogicalExtent next() {
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
    return new LogicalExtent(offset, end - offset);
  }

  private @Nullable LogicalExtent nextOfSource() {
    while (source.hasNext()) {
      LogicalExtent extent = source.next();
      if (extent.length() > 0) {
        return extent;
      }
    }
    return null;
  }
}
