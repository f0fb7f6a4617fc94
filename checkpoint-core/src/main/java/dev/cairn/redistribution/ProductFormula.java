package dev.cairn.redistribution;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The formula of format 2. Cells lie in lines of 512: the cell with the number {@code i} lies in
 * line {@code r = i >> 9} at place {@code j = i & 511}. With the bits {@code v} it contributes
 *
 * <pre>
 * first:  weightA(j) * product(v + keyA(r))         second:  weightB(j) * product(v + keyB(r))
 *
 * product(y) = (y &amp; ffffffff) * (y &gt;&gt;&gt; 32)
 *
 * keyA(r)    = mixA((r + 1) * 9e3779b97f4a7c15)     keyB(r)    = mixB((r + 1) * d1b54a32d192ed03)
 * weightA(j) = mixA(-(j + 1) * 9e3779b97f4a7c15) | 1
 * weightB(j) = mixB(-(j + 1) * d1b54a32d192ed03) | 1
 * </pre>
 *
 * <p>where {@link Mix} has the two functions and the two constants. So the key is the same for a
 * whole line, and the weights are multiplied once, at the end. The rows of tables have no number: a
 * row with the bits {@code v0, v1, …} contributes
 *
 * <pre>
 * first:  mixA(sum over the columns c of product(vc + keyA(c)))      second:  the same with B
 * </pre>
 *
 * <p>The bytes of a value are 64-bit words from the value's first number on: the first word is how
 * many bytes there are, and then come the bytes, eight to a word, little-endian, the last word
 * filled up with zeros.
 *
 * <p>{@code docs/decisions/0029-digest-of-half-products.md} says what this can miss.
 */
final class ProductFormula {
  private static final long[] FIRST_WEIGHTS = new long[CellSums.LINE_CELLS];
  private static final long[] SECOND_WEIGHTS = new long[CellSums.LINE_CELLS];

  static {
    Arrays.setAll(FIRST_WEIGHTS, place -> Mix.first(-(place + 1) * Mix.FIRST_STEP) | 1);
    Arrays.setAll(SECOND_WEIGHTS, place -> Mix.second(-(place + 1) * Mix.SECOND_STEP) | 1);
  }

  private ProductFormula() {}

  private static long firstKey(long number) {
    return Mix.first((number + 1) * Mix.FIRST_STEP);
  }

  private static long secondKey(long number) {
    return Mix.second((number + 1) * Mix.SECOND_STEP);
  }

  /** A loop so simple that the compiler takes as many cells at once as the processor has lanes. */
  private static void addProducts(long[] sums, long[] bits, int from, int to, long key) {
    for (int place = from; place < to; place++) {
      sums[place] += product(bits[place] + key);
    }
  }

  private static long product(long sum) {
    return (sum & 0xffffffffL) * (sum >>> 32);
  }

  /**
   * Each place of a line has sums of its own, so that no cell waits for the one before. The first
   * cells are weighted one by one: very many ranks with few cells each need no sums then, which
   * would be as large as their cells.
   */
  static final class ProductsOfCells implements CellSums {
    private static final int FEW_CELLS = 4 * LINE_CELLS;
    private static final long[] NONE = {};

    private long[] first = NONE;
    private long[] second = NONE;
    private long firstOfFew;
    private long secondOfFew;
    private int fewCount;

    @Override
    public void add(long[] bits, int from, int to, long line) {
      if (fewCount + to - from <= FEW_CELLS) {
        addFew(bits, from, to, firstKey(line), secondKey(line));
        return;
      }
      if (first.length == 0) {
        first = new long[LINE_CELLS];
        second = new long[LINE_CELLS];
      }
      addProducts(first, bits, from, to, firstKey(line));
      addProducts(second, bits, from, to, secondKey(line));
    }

    private void addFew(long[] bits, int from, int to, long firstKey, long secondKey) {
      long firstSum = 0;
      long secondSum = 0;
      for (int place = from; place < to; place++) {
        firstSum += FIRST_WEIGHTS[place] * product(bits[place] + firstKey);
        secondSum += SECOND_WEIGHTS[place] * product(bits[place] + secondKey);
      }
      firstOfFew += firstSum;
      secondOfFew += secondSum;
      fewCount += to - from;
    }

    @Override
    public CellDigest digest() {
      return new CellDigest(
          firstOfFew + weighted(first, FIRST_WEIGHTS),
          secondOfFew + weighted(second, SECOND_WEIGHTS));
    }

    private static long weighted(long[] sums, long[] weights) {
      long total = 0;
      for (int place = 0; place < sums.length; place++) {
        total += weights[place] * sums[place];
      }
      return total;
    }
  }

  static final class ProductsOfRows implements RowSums {
    private final long[] first = new long[BLOCK_ROWS];
    private final long[] second = new long[BLOCK_ROWS];

    @Override
    public void add(long[] bits, int count, int column) {
      addProducts(first, bits, 0, count, firstKey(column));
      addProducts(second, bits, 0, count, secondKey(column));
    }

    /** Without the mixing, two rows that exchange their values of a column would not show. */
    @Override
    public CellDigest take(int count) {
      long firstSum = 0;
      long secondSum = 0;
      for (int row = 0; row < count; row++) {
        firstSum += Mix.first(first[row]);
        secondSum += Mix.second(second[row]);
      }
      Arrays.fill(first, 0);
      Arrays.fill(second, 0);
      return new CellDigest(firstSum, secondSum);
    }
  }

  static final class BytesInWords implements ByteDigester {
    private final CellDigester words = DigestFormula.PRODUCTS.cells();
    private final long firstNumber;
    private long byteCount;

    BytesInWords(long firstNumber) {
      this.firstNumber = firstNumber;
    }

    @Override
    public void add(ByteBuffer bytes) {
      if (byteCount % Long.BYTES != 0) {
        throw new IllegalStateException(
            String.format(
                "%d bytes were added, which are no whole words, so nothing can follow: please"
                    + " report this.",
                byteCount));
      }
      ByteBuffer rest = bytes.slice();
      int wordCount = rest.remaining() / Long.BYTES;
      long number = firstNumber + 1 + byteCount / Long.BYTES;
      words.add(rest, Long.BYTES, 0, wordCount, number);
      if (rest.position(wordCount * Long.BYTES).hasRemaining()) {
        add(lastWord(rest), number + wordCount);
      }
      byteCount += bytes.remaining();
    }

    private static long lastWord(ByteBuffer rest) {
      long word = 0;
      for (int shift = 0; rest.hasRemaining(); shift += Byte.SIZE) {
        word |= Byte.toUnsignedLong(rest.get()) << shift;
      }
      return word;
    }

    private void add(long word, long number) {
      words.add((bits, place, from, count) -> bits[place] = word, 0, 1, number);
    }

    @Override
    public CellDigest finish() {
      add(byteCount, firstNumber);
      return words.digest();
    }
  }
}
