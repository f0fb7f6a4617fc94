package dev.cairn.redistribution;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The formula of format 1, in which older checkpoints are verified. The cell with the number {@code
 * i} and the bits {@code v} contributes
 *
 * <pre>
 * first:  mixA(v + (i + 1) * 9e3779b97f4a7c15)      second:  mixB(v + (i + 1) * d1b54a32d192ed03)
 * </pre>
 *
 * <p>where {@link Mix} has the two functions and the two constants. A row of a table with the bits
 * {@code v0, v1, …} contributes what is left in {@code a} and {@code b}:
 *
 * <pre>
 * a = 0;  for each column c from 0:  a = mixA(a + vc + (c + 1) * 9e3779b97f4a7c15)
 * b = 0;  for each column c from 0:  b = mixB(b + vc + (c + 1) * d1b54a32d192ed03)
 * </pre>
 */
final class MixFormula {
  /** What the place of a cell in its line adds to its bits. */
  private static final long[] FIRST_TERMS = multiples(Mix.FIRST_STEP);

  private static final long[] SECOND_TERMS = multiples(Mix.SECOND_STEP);

  private MixFormula() {}

  private static long[] multiples(long step) {
    long[] multiples = new long[CellSums.LINE_CELLS];
    Arrays.setAll(multiples, place -> (place + 1) * step);
    return multiples;
  }

  private static CellDigest digest(long[] first, long[] second, int count) {
    return new CellDigest(
        Arrays.stream(first, 0, count).sum(), Arrays.stream(second, 0, count).sum());
  }

  /** Each place of a line has sums of its own, so that no cell waits for the one before. */
  static final class MixedCells implements CellSums {
    private final long[] first = new long[LINE_CELLS];
    private final long[] second = new long[LINE_CELLS];

    @Override
    public void add(long[] bits, int from, int to, long line) {
      long firstTerm = line * LINE_CELLS * Mix.FIRST_STEP;
      for (int place = from; place < to; place++) {
        first[place] += Mix.first(bits[place] + (FIRST_TERMS[place] + firstTerm));
      }
      long secondTerm = line * LINE_CELLS * Mix.SECOND_STEP;
      for (int place = from; place < to; place++) {
        second[place] += Mix.second(bits[place] + (SECOND_TERMS[place] + secondTerm));
      }
    }

    @Override
    public CellDigest digest() {
      return MixFormula.digest(first, second, LINE_CELLS);
    }
  }

  static final class MixedRows implements RowSums {
    private final long[] first = new long[BLOCK_ROWS];
    private final long[] second = new long[BLOCK_ROWS];

    @Override
    public void add(long[] bits, int count, int column) {
      long firstTerm = (column + 1) * Mix.FIRST_STEP;
      for (int row = 0; row < count; row++) {
        first[row] = Mix.first(first[row] + bits[row] + firstTerm);
      }
      long secondTerm = (column + 1) * Mix.SECOND_STEP;
      for (int row = 0; row < count; row++) {
        second[row] = Mix.second(second[row] + bits[row] + secondTerm);
      }
    }

    @Override
    public CellDigest take(int count) {
      CellDigest digest = MixFormula.digest(first, second, count);
      Arrays.fill(first, 0);
      Arrays.fill(second, 0);
      return digest;
    }
  }

  /** Each byte of a value is a cell. */
  static final class SingleBytes implements ByteDigester {
    private final CellDigester cells = DigestFormula.MIXES.cells();
    private long number;

    SingleBytes(long firstNumber) {
      this.number = firstNumber;
    }

    @Override
    public void add(ByteBuffer bytes) {
      cells.add(bytes, Byte.BYTES, bytes.position(), bytes.remaining(), number);
      number += bytes.remaining();
    }

    @Override
    public CellDigest finish() {
      return cells.digest();
    }
  }
}
