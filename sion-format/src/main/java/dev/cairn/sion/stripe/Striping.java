package dev.cairn.sion.stripe;

import java.util.Objects;

/**
 * Cuts a logical file into stripes of {@code depth} bytes and deals them to {@code width} sub-files
 * in turn. The stripes of a sub-file lie one after another, so a contiguous part of the logical
 * file is one contiguous part of each sub-file that it touches.
 */
public final class Striping implements SubFileLayout {
  private final long depth;
  private final int width;

  private Striping(long depth, int width) {
    this.depth = depth;
    this.width = width;
  }

  /**
   * Stripes of {@code depth} bytes over {@code width} sub-files.
   *
   * @throws IllegalArgumentException if one of them is less than 1, or a row of stripes is longer
   *     than 2^63 - 1 bytes
   */
  public static Striping of(long depth, int width) {
    if (depth < 1 || width < 1) {
      throw new IllegalArgumentException(
          "A stripe of " + depth + " bytes over " + width + " sub-files; both must be at least 1.");
    }
    if (depth > Long.MAX_VALUE / width) {
      throw new IllegalArgumentException(
          "A row of " + width + " stripes of " + depth + " bytes is longer than 2^63 - 1 bytes.");
    }
    return new Striping(depth, width);
  }

  /** The bytes of a stripe. */
  public long depth() {
    return depth;
  }

  @Override
  public int subFileCount() {
    return width;
  }

  /** The sub-file of the byte at {@code offset} of the logical file. */
  public int subFileOf(long offset) {
    return (int) (offset / depth % width);
  }

  /** Where the byte at {@code offset} of the logical file lies in its sub-file. */
  public long localOf(long offset) {
    return offset / depth / width * depth + offset % depth;
  }

  @Override
  public void forEachRun(long offset, long length, RunConsumer consumer) {
    Objects.checkFromIndexSize(offset, length, Long.MAX_VALUE);
    long end = offset + length;
    for (long next = offset; next < end; ) {
      long run = width == 1 ? end - next : Math.min(end - next, depth - next % depth);
      consumer.accept(subFileOf(next), localOf(next), next, run);
      next += run;
    }
  }

  @Override
  public long offsetOf(int subFile, long local) {
    Objects.checkIndex(subFile, width);
    long stripe = Math.addExact(Math.multiplyExact(local / depth, width), subFile);
    return Math.addExact(Math.multiplyExact(stripe, depth), local % depth);
  }

  @Override
  public long lengthOf(int subFile, long length) {
    Objects.checkIndex(subFile, width);
    long row = depth * width;
    long rest = length % row;
    return length / row * depth + Math.max(0, Math.min(depth, rest - subFile * depth));
  }
}
