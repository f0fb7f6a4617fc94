package dev.cairn.cells;

import java.nio.ByteBuffer;
import java.util.List;

/** Digests the rows of a table block by block, and each block column by column. */
final class RowDigester {
  private static final int BLOCK_ROWS = RowSums.BLOCK_ROWS;

  private final List<Cells> columns;
  private final RowSums sums;
  private final RowWitness witness;
  private final long[] bits = new long[BLOCK_ROWS];
  private final ByteBuffer bytes = ByteBuffer.allocate(BLOCK_ROWS * Long.BYTES);

  RowDigester(List<Cells> columns, RowSums sums, RowWitness witness) {
    this.columns = columns;
    this.sums = sums;
    this.witness = witness;
  }

  /** The digest of the first {@code rowCount} rows. */
  CellDigest digest(int rowCount) {
    CellDigest sum = CellDigest.NONE;
    for (int row = 0; row < rowCount; row += BLOCK_ROWS) {
      sum = sum.plus(block(row, Math.min(BLOCK_ROWS, rowCount - row)));
    }
    return sum;
  }

  private CellDigest block(int row, int count) {
    for (int column = 0; column < columns.size(); column++) {
      load(columns.get(column), row, count);
      witness.see(column, bytes.duplicate());
      sums.add(bits, count, column);
    }
    return sums.take(count);
  }

  private void load(Cells column, int row, int count) {
    column.copyTo(bytes.clear().limit(count * column.elementSize()), Runs.row(row, 0, count));
    CellDigester.load(bytes, column.elementSize()).cells(bits, 0, 0, count);
  }
}
