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
   * @param memoryShift what to add to an offset in the logical file for the position in memory
   */
  record Part(long local, long length, long memoryShift) {
    long end() {
      return local + length;
    }
  }

  LocalExtent(SubFileLayout layout, int subFile, List<Part> parts) {
    this.layout = layout;
    this.subFile = subFile;
    this.parts = List.copyOf(parts);
  }

  public int subFile() {
    return subFile;
  }

  /** Where it begins in the sub-file. */
  public long local() {
    return parts.get(0).local();
  }

  public long length() {
    return parts.get(parts.size() - 1).end() - local();
  }

  /**
   * Hands over the slices of memory, in the order in which their bytes lie in the sub-file. Slices
   * that are neighbours in memory are one.
   */
  public void forEachSlice(Consumer<MemorySlice> consumer) {
    SliceJoiner joiner = new SliceJoiner(consumer);
    for (Part part : parts) {
      layout.forEachRunOf(
          subFile,
          part.local(),
          part.length(),
          (number, local, offset, length) -> joiner.add(offset + part.memoryShift(), length));
    }
    joiner.end();
  }

  /** Holds a slice back until the next one turns out not to touch it. */
  private static final class SliceJoiner {
    private final Consumer<MemorySlice> consumer;
    private long position;
    private long length;

    SliceJoiner(Consumer<MemorySlice> consumer) {
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
        consumer.accept(new MemorySlice(position, length));
      }
    }
  }
}
