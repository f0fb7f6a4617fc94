package dev.cairn.sion.stripe;

import java.util.ArrayList;
import java.util.List;

/**
 * A striping whose depth and sub-files change along the logical file. So a file gets more
 * sub-files, or goes on with fewer, without a copy of what it holds. A segment begins in each of
 * its sub-files behind the bytes of all segments before it, at a multiple of the alignment.
 */
public final class StripeSegments implements SubFileLayout {
  private final int subFileCount;
  private final long alignment;
  private final List<PlacedSegment> segments;

  private StripeSegments(int subFileCount, long alignment, List<PlacedSegment> segments) {
    this.subFileCount = subFileCount;
    this.alignment = alignment;
    this.segments = segments;
  }

  /**
   * Lays out segments; the last one has no end.
   *
   * @param subFileCount how many sub-files there are
   * @param alignment of the beginnings of segments in sub-files, at least 1
   * @param segments in ascending order, the first one from 0 on
   * @throws IllegalArgumentException if they do not ascend from 0, or name a sub-file that does not
   *     exist
   * @throws ArithmeticException if a segment begins behind 2^63 - 1 in a sub-file
   */
  public static StripeSegments of(int subFileCount, long alignment, List<StripeSegment> segments) {
    if (subFileCount < 1 || alignment < 1) {
      throw new IllegalArgumentException(
          String.format(
              "%d sub-files with an alignment of %d bytes; both must be at least 1.",
              subFileCount, alignment));
    }
    requireAscending(segments);
    List<PlacedSegment> placed = new ArrayList<>();
    long[] bases = new long[subFileCount];
    for (int number = 0; number < segments.size(); number++) {
      boolean isLast = number == segments.size() - 1;
      long end = isLast ? Long.MAX_VALUE : segments.get(number + 1).begin();
      PlacedSegment next = PlacedSegment.of(segments.get(number), end, bases);
      placed.add(next);
      if (!isLast) {
        next.advance(bases, alignment);
      }
    }
    return new StripeSegments(subFileCount, alignment, List.copyOf(placed));
  }

  private static void requireAscending(List<StripeSegment> segments) {
    if (segments.isEmpty() || segments.get(0).begin() != 0) {
      throw new IllegalArgumentException("The first segment of a layout begins at 0.");
    }
    for (int number = 1; number < segments.size(); number++) {
      if (segments.get(number).begin() <= segments.get(number - 1).begin()) {
        throw new IllegalArgumentException(
            String.format(
                "Segment %d begins at %d, but must begin behind %d, where the one before it does.",
                number, segments.get(number).begin(), segments.get(number - 1).begin()));
      }
    }
  }

  /** The segments, of which the layout can be made again. */
  public List<StripeSegment> segments() {
    return segments.stream().map(PlacedSegment::segment).toList();
  }

  /** The alignment of the beginnings of segments in sub-files. */
  public long alignment() {
    return alignment;
  }

  /**
   * The same layout up to {@code segment}, and from there on that one. No byte before it moves.
   *
   * @param newSubFileCount how many sub-files there are from now on, not fewer than before
   * @throws IllegalArgumentException if the segment does not begin behind the last one
   */
  public StripeSegments with(int newSubFileCount, StripeSegment segment) {
    if (newSubFileCount < subFileCount) {
      throw new IllegalArgumentException(
          String.format(
              "Of %d sub-files %d cannot be left: a segment that uses fewer names those it uses.",
              subFileCount, newSubFileCount));
    }
    List<StripeSegment> longer = new ArrayList<>(segments());
    longer.add(segment);
    return of(newSubFileCount, alignment, longer);
  }

  @Override
  public int subFileCount() {
    return subFileCount;
  }

  @Override
  public void forEachRun(long offset, long length, RunConsumer consumer) {
    long end = Positions.end(offset, length);
    for (PlacedSegment segment : segments) {
      segment.forEachRun(offset, end, consumer);
    }
  }

  @Override
  public void forEachLocal(long offset, long length, LocalConsumer consumer) {
    long end = Positions.end(offset, length);
    for (PlacedSegment segment : segments) {
      segment.forEachLocal(offset, end, consumer);
    }
  }

  @Override
  public void forEachRunOf(int subFile, long local, long length, RunConsumer consumer) {
    Positions.requireSubFile(subFile, subFileCount);
    long end = Positions.end(local, length);
    for (PlacedSegment segment : segments) {
      segment.forEachRunOf(subFile, local, end, consumer);
    }
  }

  @Override
  public long offsetOf(int subFile, long local) {
    Positions.requireSubFile(subFile, subFileCount);
    Positions.requirePosition(local);
    for (PlacedSegment segment : segments) {
      if (segment.holds(subFile, local)) {
        return segment.offsetOf(subFile, local);
      }
    }
    throw new IllegalArgumentException(
        String.format("Byte %d of sub-file %d belongs to no segment.", local, subFile));
  }

  @Override
  public long lengthOf(int subFile, long length) {
    Positions.requireSubFile(subFile, subFileCount);
    Positions.requirePosition(length);
    long reached = 0;
    for (PlacedSegment segment : segments) {
      reached = Math.max(reached, segment.localEnd(subFile, length));
    }
    return reached;
  }

  /**
   * The length of the logical file whose sub-files have these lengths: its last byte is the one
   * farthest behind that any of them holds. Whether another sub-file is too short for it, {@link
   * #lengthOf} tells.
   *
   * @param subFileLengths a length for each sub-file
   * @throws IllegalArgumentException if there are more or fewer lengths than sub-files, or the last
   *     byte of one belongs to no segment
   * @throws ArithmeticException if it lies behind 2^63 - 1
   */
  public long logicalLength(long... subFileLengths) {
    return LogicalEnd.of(this, subFileLengths);
  }
}
