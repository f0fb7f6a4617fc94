package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.log.StridedBox;
import dev.cairn.sion.netcdf.Section;
import java.util.Arrays;
import java.util.List;

/** A part of a box of a put, whose values are neighbours in the log. Immutable. */
final class PutPiece {
  private final long[] start;
  private final long[] count;
  private final long[] stride;
  private final long firstCell;

  private PutPiece(long[] start, long[] count, long[] stride, long firstCell) {
    this.start = start;
    this.count = count;
    this.stride = stride;
    this.firstCell = firstCell;
  }

  /** A whole box, whose first cell is number {@code firstCell} of its put. */
  static PutPiece of(PutBoxes boxes, int box, long firstCell) {
    int dimensions = boxes.dimensionCount();
    long[] start = new long[dimensions];
    long[] count = new long[dimensions];
    long[] stride = new long[dimensions];
    for (int dimension = 0; dimension < dimensions; dimension++) {
      start[dimension] = boxes.start(box, dimension);
      count[dimension] = boxes.count(box, dimension);
      stride[dimension] = boxes.stride(box, dimension);
    }
    return new PutPiece(start, count, stride, firstCell);
  }

  /** The number of its first cell among all cells of the put. */
  long firstCell() {
    return firstCell;
  }

  long cellCount() {
    long cells = 1;
    for (long each : count) {
      cells *= each;
    }
    return cells;
  }

  /** The indices of its cell number {@code cell}. */
  long[] indices(long cell) {
    long[] indices = new long[count.length];
    long rest = cell;
    for (int dimension = count.length - 1; dimension >= 0; dimension--) {
      indices[dimension] = start[dimension] + rest % count[dimension] * stride[dimension];
      rest /= count[dimension];
    }
    return indices;
  }

  /** What has index number {@code index} in the first dimension. */
  PutPiece slice(long index) {
    return part(0, index, 1, firstCell + index * (cellCount() / count[0]));
  }

  /** How many of its cells are neighbours in the last dimension, one behind the other. */
  long runLength() {
    int last = count.length - 1;
    return last < 0 || stride[last] > 1 ? 1 : count[last];
  }

  /** Run number {@code index} of its cells that are neighbours. */
  PutPiece run(long index) {
    long[] runCount = new long[count.length];
    Arrays.fill(runCount, 1);
    if (count.length > 0) {
      runCount[count.length - 1] = runLength();
    }
    long first = index * runLength();
    return new PutPiece(indices(first), runCount, stride, firstCell + first);
  }

  Section section() {
    return Section.of(start, count, stride);
  }

  /** Its cells, as a log of our own names them. */
  StridedBox box() {
    return StridedBox.of(start, count, stride);
  }

  /** Its cells, of which there are several, as two parts that follow each other in the log. */
  List<PutPiece> halves() {
    int dimension = 0;
    long perIndex = cellCount() / count[0];
    while (count[dimension] == 1) {
      dimension++;
      perIndex /= count[dimension];
    }
    long inFirst = count[dimension] / 2;
    return List.of(
        part(dimension, 0, inFirst, firstCell),
        part(dimension, inFirst, count[dimension] - inFirst, firstCell + inFirst * perIndex));
  }

  private PutPiece part(int dimension, long from, long length, long first) {
    long[] partStart = start.clone();
    long[] partCount = count.clone();
    partStart[dimension] += from * stride[dimension];
    partCount[dimension] = length;
    return new PutPiece(partStart, partCount, stride, first);
  }
}
