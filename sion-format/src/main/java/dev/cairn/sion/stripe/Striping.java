package dev.cairn.sion.stripe;

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

  /** The sub-file of the byte at {@code logicalOffset} of the logical file. */
  public int subFileOf(long logicalOffset) {
    return (int) (Positions.requirePosition(logicalOffset) / depth % width);
  }

  /** Where the byte at {@code logicalOffset} of the logical file lies in its sub-file. */
  public long localOf(long logicalOffset) {
    return Positions.requirePosition(logicalOffset) / depth / width * depth + logicalOffset % depth;
  }

  @Override
  public void forEachRun(long logicalOffset, long length, SubFileLayout.RunConsumer consumer) {
    long end = Positions.end(logicalOffset, length);
    for (long next = logicalOffset; next < end; ) {
      long run = width == 1 ? end - next : Math.min(end - next, depth - next % depth);
      consumer.accept(subFileOf(next), localOf(next), next, run);
      next += run;
    }
  }

  /**
   * A sub-file gets what it holds of a file up to the end, without what it holds up to the start.
   */
  @Override
  public void forEachLocal(long logicalOffset, long length, SubFileLayout.LocalConsumer consumer) {
    long end = Positions.end(logicalOffset, length);
    if (length == 0) {
      return;
    }
    long stripes = (end - 1) / depth - logicalOffset / depth + 1;
    int touched = (int) Math.min(stripes, width);
    int first = subFileOf(logicalOffset);
    for (int number = 0; number < touched; number++) {
      int subFile = (int) (((long) first + number) % width);
      long local = lengthOf(subFile, logicalOffset);
      consumer.accept(subFile, local, lengthOf(subFile, end) - local);
    }
  }

  @Override
  public void forEachRunOf(
      int subFile, long local, long length, SubFileLayout.RunConsumer consumer) {
    long end = Positions.end(local, length);
    for (long next = local; next < end; ) {
      long run = width == 1 ? end - next : Math.min(end - next, depth - next % depth);
      consumer.accept(subFile, next, logicalOffsetOf(subFile, next), run);
      next += run;
    }
  }

  @Override
  public long logicalOffsetOf(int subFile, long local) {
    Positions.requireSubFile(subFile, width);
    Positions.requirePosition(local);
    long stripe = Math.addExact(Math.multiplyExact(local / depth, width), subFile);
    return Math.addExact(Math.multiplyExact(stripe, depth), local % depth);
  }

  @Override
  public long lengthOf(int subFile, long logicalLength) {
    Positions.requireSubFile(subFile, width);
    Positions.requirePosition(logicalLength);
    long row = depth * width;
    long rest = logicalLength % row;
    return logicalLength / row * depth + Math.max(0, Math.min(depth, rest - subFile * depth));
  }

  /**
   * The length of the logical file whose sub-files have these lengths: its last byte is the one
   * farthest behind that any of them holds. Whether another sub-file is too short for it, {@link
   * #lengthOf} tells.
   *
   * @param subFileLengths a length for each sub-file
   * @throws IllegalArgumentException if there are more or fewer lengths than sub-files
   * @throws ArithmeticException if it lies behind 2^63 - 1
   */
  public long logicalLength(long... subFileLengths) {
    if (subFileLengths.length != width) {
      throw new IllegalArgumentException(
          subFileLengths.length + " lengths were given for " + width + " sub-files.");
    }
    long end = 0;
    for (int subFile = 0; subFile < width; subFile++) {
      long length = Positions.requirePosition(subFileLengths[subFile]);
      if (length > 0) {
        end = Math.max(end, Math.addExact(logicalOffsetOf(subFile, length - 1), 1));
      }
    }
    return end;
  }
}
