package dev.cairn.redistribution;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Digests the rows of a table block by block, and each block column by column. */
final class RowDigester {
  private static final int BLOCK_ROWS = RowSums.BLOCK_ROWS;

  private final List<Cells> columns;
  private final RowSums sums;
  private final RowWitness witness;
  private final ByteBuffer bytes = ByteBuffer.allocate(BLOCK_ROWS * Long.BYTES);

  RowDigester(List<Cells> columns, RowSums sums, RowWitness witness) {
    this.columns = columns;
    this.sums = sums;
    this.witness = witness;
  }

  /** The digest of the first {@code rowCount} rows. */
  CellDigest digest(int rowCount) {
    CellDigester[] digesters = new CellDigester[columns.size()];
    Arrays.setAll(digesters, this::digester);
    CellDigest sum = CellDigest.NONE;
    for (int row = 0; row < rowCount; row += BLOCK_ROWS) {
      int count = Math.min(BLOCK_ROWS, rowCount - row);
      for (int column = 0; column < columns.size(); column++) {
        addBlock(digesters[column], column, row, count);
      }
      sum = sum.plus(sums.take(count));
    }
    return sum;
  }

  private CellDigester digester(int column) {
    return new CellDigester(new ColumnSums(sums, column));
  }

  /** Takes the blocks of rows as the lines of cells that they are in one column. */
  private record ColumnSums(RowSums rows, int column) implements CellSums {
    @Override
    public void add(long[] bits, int from, int to, long line) {
      rows.add(bits, to, column);
    }

    /** A column has no digest of its own, only whole rows have. */
    @Override
    public CellDigest digest() {
      return CellDigest.NONE;
    }
  }

  private void addBlock(CellDigester digester, int column, int row, int count) {
    Cells cells = columns.get(column);
    if (witness == RowWitness.NONE) {
      cells.digest(digester, Runs.row(row, row, count));
    } else {
      cells.copyTo(bytes.clear().limit(count * cells.elementSize()), Runs.row(row, 0, count));
      Cells.of(bytes, cells.elementSize()).digest(digester, Runs.row(0, row, count));
      witness.see(column, bytes.duplicate());
    }
  }
}
