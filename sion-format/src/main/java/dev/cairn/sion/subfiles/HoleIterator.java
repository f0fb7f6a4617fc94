package dev.cairn.sion.subfiles;

import dev.cairn.sion.stripe.Extent;
import dev.cairn.sion.stripe.Striping;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** The parts of the logical file that a sub-file should hold and does not, stripe by stripe. */
final class HoleIterator implements Iterator<Extent> {
  private final Striping striping;
  private final SubFileSet.SubFile subFile;
  private final long end;
  private long local;

  /**
   * The holes of a sub-file.
   *
   * @param end where to stop in the sub-file
   */
  HoleIterator(Striping striping, SubFileSet.SubFile subFile, long end) {
    this.striping = striping;
    this.subFile = subFile;
    this.end = end;
    this.local = subFile.availableSize();
  }

  @Override
  public boolean hasNext() {
    return local < end;
  }

  @Override
  public Extent next() {
    if (!hasNext()) {
      throw new NoSuchElementException(subFile.path() + " has no further hole.");
    }
    boolean isAlone = striping.subFileCount() == 1;
    long restOfStripe = isAlone ? end - local : striping.depth() - local % striping.depth();
    long length = Math.min(restOfStripe, end - local);
    long logicalOffset = striping.logicalOffsetOf(subFile.number(), local);
    local += length;
    return new Extent(logicalOffset, length);
  }
}
