package dev.cairn.sion.stripe;

import java.util.List;
import java.util.function.Consumer;

/**
 * Consecutive bytes of a sub-file that one request reads or writes. Which bytes in memory they are
 * is computed while it is asked for, since a long extent can hold millions of stripes. Immutable,
 * so any thread may use it.
 */
public final class LocalExtent {
  private final SubFileLayout layout;
  private final int subFile;
  private final List<Part> parts;

  /**
   * What one extent of the request contributes.
   *
   * @param local its bytes in the sub-file
   * @param memoryShift what to add to a logical offset for the position in memory
   */
  record Part(Extent local, long memoryShift) {}

  LocalExtent(SubFileLayout layout, int subFile, List<Part> parts) {
    this.layout = layout;
    this.subFile = subFile;
    this.parts = List.copyOf(parts);
  }

  /**
   * Divides {@code selection} among the sub-files: for each one that it touches, the local extents,
   * in the order in which the request reaches them. An extent that continues the one before it in
   * its sub-file is part of that one. So a contiguous request for a striped file has one local
   * extent in each sub-file. In memory the extents of the request lie one behind the other in their
   * order.
   *
   * <p>Takes memory for each extent and each sub-file that it touches, but none for stripes.
   *
   * @return the local extents, sub-file by sub-file, in ascending order of sub-files
   */
  public static List<LocalExtent> of(SubFileLayout layout, Selection selection) {
    return RequestSplit.of(layout, selection);
  }

  public int subFile() {
    return subFile;
  }

  /** Where it begins in the sub-file. */
  public long local() {
    return parts.get(0).local().offset();
  }

  public long length() {
    return parts.get(parts.size() - 1).local().end() - local();
  }

  /**
   * Hands over the slices of the request in memory, where its extents lie one behind the other, in
   * the order in which their bytes lie in the sub-file. Slices that are neighbours in memory are
   * one.
   */
  public void forEachSlice(Consumer<Extent> consumer) {
    SliceJoiner joiner = new SliceJoiner(consumer);
    for (Part part : parts) {
      layout.forEachRunOf(
          subFile,
          part.local().offset(),
          part.local().length(),
          (number, local, logicalOffset, length) ->
              joiner.add(logicalOffset + part.memoryShift(), length));
    }
    joiner.end();
  }

  /** Holds a slice back until the next one turns out not to touch it. */
  private static final class SliceJoiner {
    private final Consumer<Extent> consumer;
    private long position;
    private long length;

    SliceJoiner(Consumer<Extent> consumer) {
      this.consumer = consumer;
    }

    void add(long nextPosition, long nextLength) {
      if (length > 0 && position + length == nextPosition) {
        length += nextLength;
      } else {
        end();
        position = nextPosition;
        length = nextLength;
      }
    }

    void end() {
      if (length > 0) {
        consumer.accept(new Extent(position, length));
      }
    }
  }
}
