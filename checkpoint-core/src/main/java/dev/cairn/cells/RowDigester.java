package dev.cairn.cells;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The digest of the rows of a table, as if in a bag: it depends on which rows there are, and how
 * often, but neither on their order nor on who has them. So the digests of the rows of all ranks
 * add up to the same, however rows have moved between them.
 *
 * <p>A row with the stored bits {@code v0, v1, …} in its columns, as {@link CellDigest} has them,
 * contributes to each of two sums, everything modulo 2<sup>64</sup>, with its functions {@code
 * mixA} and {@code mixB}:
 *
 * <pre>
 * a = 0;  for each column c from 0:  a = mixA(a + vc + (c + 1) * 9e3779b97f4a7c15);  first  += a
 * b = 0;  for each column c from 0:  b = mixB(b + vc + (c + 1) * d1b54a32d192ed03);  second += b
 * </pre>
 */
public final class RowDigester {
  /** Few enough for the fastest cache. */
  private static final int BLOCK_ROWS = 512;

  private final long[] first = new long[BLOCK_ROWS];
  private final long[] second = new long[BLOCK_ROWS];
  private final long[] bits = new long[BLOCK_ROWS];
  private final ByteBuffer bytes = ByteBuffer.allocate(BLOCK_ROWS * Long.BYTES);

  private RowDigester() {}

  /** The digest of the first {@code rowCount} rows of these columns. */
  public static CellDigest digest(List<Cells> columns, int rowCount) {
    RowDigester digester = new RowDigester();
    CellDigest sum = CellDigest.NONE;
    for (int row = 0; row < rowCount; row += BLOCK_ROWS) {
      sum = sum.plus(digester.block(columns, row, Math.min(BLOCK_ROWS, rowCount - row)));
    }
    return sum;
  }

  private CellDigest block(List<Cells> columns, int row, int count) {
    Arrays.fill(first, 0);
    Arrays.fill(second, 0);
    for (int column = 0; column < columns.size(); column++) {
      load(columns.get(column), row, count);
      mix(count, column + 1);
    }
    return new CellDigest(sum(first, count), sum(second, count));
  }

  private void load(Cells column, int row, int count) {
    column.copyTo(bytes.clear(), Runs.row(row, 0, count));
    CellDigester.load(bytes, column.elementSize()).cells(bits, 0, count);
  }

  /** Two simple loops, which the compiler understands better than one. */
  private void mix(int count, long place) {
    long firstTerm = place * CellDigester.FIRST_STEP;
    for (int row = 0; row < count; row++) {
      first[row] = CellDigester.firstMix(first[row] + bits[row] + firstTerm);
    }
    long secondTerm = place * CellDigester.SECOND_STEP;
    for (int row = 0; row < count; row++) {
      second[row] = CellDigester.secondMix(second[row] + bits[row] + secondTerm);
    }
  }

  private static long sum(long[] hashes, int count) {
    return Arrays.stream(hashes, 0, count).sum();
  }
}
