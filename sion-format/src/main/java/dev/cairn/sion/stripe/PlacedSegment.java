package dev.cairn.sion.stripe;

import java.util.Arrays;

/** A segment, its end, and where it begins in each sub-file. */
final class PlacedSegment {
  private static final int UNUSED = -1;

  private final StripeSegment segment;
  private final Striping striping;
  private final long end;
  private final long[] bases;

  /** The sub-file of each column of the striping, and the column of each sub-file or UNUSED. */
  private final int[] subFiles;

  private final int[] columns;

  private PlacedSegment(StripeSegment segment, long end, long[] bases, int[] columns) {
    this.segment = segment;
    this.striping = segment.striping();
    this.end = end;
    this.bases = bases;
    this.subFiles = segment.subFiles().stream().mapToInt(Integer::intValue).toArray();
    this.columns = columns;
  }

  static PlacedSegment of(StripeSegment segment, long end, long[] bases) {
    int[] columns = new int[bases.length];
    Arrays.fill(columns, UNUSED);
    for (int column = 0; column < segment.subFiles().size(); column++) {
      columns[Positions.requireSubFile(segment.subFiles().get(column), bases.length)] = column;
    }
    return new PlacedSegment(segment, end, bases.clone(), columns);
  }

  StripeSegment segment() {
    return segment;
  }

  /** Makes of the beginnings in {@code next} those of the segment behind this one. */
  void advance(long[] next, long alignment) {
    for (int subFile : subFiles) {
      next[subFile] = roundUp(Math.addExact(bases[subFile], bytesIn(subFile, end)), alignment);
    }
  }

  private static long roundUp(long local, long alignment) {
    long units = local / alignment + (local % alignment == 0 ? 0 : 1);
    return Math.multiplyExact(units, alignment);
  }

  /** The runs of this segment among the bytes from {@code from} to {@code to}. */
  void forEachRun(long from, long to, RunConsumer consumer) {
    long first = Math.max(from, segment.begin());
    long last = Math.min(to, end);
    if (first < last) {
      striping.forEachRun(
          first - segment.begin(),
          last - first,
          (column, local, offset, length) ->
              consumer.accept(
                  subFiles[column],
                  Math.addExact(bases[subFiles[column]], local),
                  segment.begin() + offset,
                  length));
    }
  }

  /** The same, as parts of sub-files. */
  void forEachLocal(long from, long to, LocalConsumer consumer) {
    long first = Math.max(from, segment.begin());
    long last = Math.min(to, end);
    if (first < last) {
      striping.forEachLocal(
          first - segment.begin(),
          last - first,
          (column, local, length) ->
              consumer.accept(
                  subFiles[column], Math.addExact(bases[subFiles[column]], local), length));
    }
  }

  /** The runs of this segment among the bytes of a sub-file from {@code from} to {@code to}. */
  void forEachRunOf(int subFile, long from, long to, RunConsumer consumer) {
    int column = columns[subFile];
    if (column == UNUSED) {
      return;
    }
    long base = bases[subFile];
    long first = Math.max(from - base, 0);
    long last = Math.min(to - base, bytesIn(subFile, end));
    if (first < last) {
      striping.forEachRunOf(
          column,
          first,
          last - first,
          (same, local, offset, length) ->
              consumer.accept(subFile, base + local, segment.begin() + offset, length));
    }
  }

  boolean holds(int subFile, long local) {
    return local >= bases[subFile] && local - bases[subFile] < bytesIn(subFile, end);
  }

  long offsetOf(int subFile, long local) {
    long offset = striping.offsetOf(columns[subFile], local - bases[subFile]);
    return Math.addExact(segment.begin(), offset);
  }

  /** Where this segment ends in a sub-file of a logical file of {@code length} bytes, or 0. */
  long localEnd(int subFile, long length) {
    long bytes = bytesIn(subFile, length);
    return bytes == 0 ? 0 : Math.addExact(bases[subFile], bytes);
  }

  /** How many bytes of a logical file of {@code length} bytes a sub-file holds in this segment. */
  private long bytesIn(int subFile, long length) {
    int column = columns[subFile];
    return column == UNUSED || length <= segment.begin()
        ? 0
        : striping.lengthOf(column, Math.min(length, end) - segment.begin());
  }
}
