package dev.cairn.cells;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Adds cells up to a {@link CellDigest}, which says by what formula. Each call adds {@code count}
 * cells from {@code offset} on, whose global numbers follow {@code firstIndex} without gaps. Not
 * thread-safe.
 */
public final class CellDigester {
  static final long FIRST_STEP = 0x9e3779b97f4a7c15L;
  static final long SECOND_STEP = 0xd1b54a32d192ed03L;

  /** Few enough to stay in the fastest cache between the loops over them. */
  private static final int BLOCK_CELLS = 512;

  /** What the number of a cell adds to its bits, less what the first number of its block does. */
  private static final long[] FIRST_TERMS = multiples(FIRST_STEP);

  private static final long[] SECOND_TERMS = multiples(SECOND_STEP);

  private final long[] block = new long[BLOCK_CELLS];

  /**
   * The sums, in parts: each place of the block has its own. So no cell waits for the one before,
   * and the compiler may take as many at once as the processor has lanes.
   */
  private final long[] firstSums = new long[BLOCK_CELLS];

  private final long[] secondSums = new long[BLOCK_CELLS];

  /** Puts the bits of {@code count} cells at the front of the block. */
  interface Load {
    void cells(long[] block, int offset, int count);
  }

  /** The digest of all that was added. */
  public CellDigest digest() {
    return new CellDigest(sum(firstSums), sum(secondSums));
  }

  private static long sum(long[] parts) {
    long sum = 0;
    for (long part : parts) {
      sum += part;
    }
    return sum;
  }

  private static long[] multiples(long step) {
    long[] multiples = new long[BLOCK_CELLS];
    for (int place = 0; place < BLOCK_CELLS; place++) {
      multiples[place] = place * step;
    }
    return multiples;
  }

  public void add(boolean[] cells, int offset, int count, long firstIndex) {
    addBlocks(
        offset,
        count,
        firstIndex,
        (bits, from, n) -> {
          for (int cell = 0; cell < n; cell++) {
            bits[cell] = cells[from + cell] ? 1 : 0;
          }
        });
  }

  public void add(byte[] cells, int offset, int count, long firstIndex) {
    addBlocks(
        offset,
        count,
        firstIndex,
        (bits, from, n) -> {
          for (int cell = 0; cell < n; cell++) {
            bits[cell] = Byte.toUnsignedLong(cells[from + cell]);
          }
        });
  }

  public void add(short[] cells, int offset, int count, long firstIndex) {
    addBlocks(
        offset,
        count,
        firstIndex,
        (bits, from, n) -> {
          for (int cell = 0; cell < n; cell++) {
            bits[cell] = Short.toUnsignedLong(cells[from + cell]);
          }
        });
  }

  public void add(char[] cells, int offset, int count, long firstIndex) {
    addBlocks(
        offset,
        count,
        firstIndex,
        (bits, from, n) -> {
          for (int cell = 0; cell < n; cell++) {
            bits[cell] = cells[from + cell];
          }
        });
  }

  public void add(int[] cells, int offset, int count, long firstIndex) {
    addBlocks(
        offset,
        count,
        firstIndex,
        (bits, from, n) -> {
          for (int cell = 0; cell < n; cell++) {
            bits[cell] = Integer.toUnsignedLong(cells[from + cell]);
          }
        });
  }

  public void add(long[] cells, int offset, int count, long firstIndex) {
    addBlocks(
        offset, count, firstIndex, (bits, from, n) -> System.arraycopy(cells, from, bits, 0, n));
  }

  public void add(float[] cells, int offset, int count, long firstIndex) {
    addBlocks(
        offset,
        count,
        firstIndex,
        (bits, from, n) -> {
          for (int cell = 0; cell < n; cell++) {
            bits[cell] = Integer.toUnsignedLong(Float.floatToRawIntBits(cells[from + cell]));
          }
        });
  }

  public void add(double[] cells, int offset, int count, long firstIndex) {
    addBlocks(
        offset,
        count,
        firstIndex,
        (bits, from, n) -> {
          for (int cell = 0; cell < n; cell++) {
            bits[cell] = Double.doubleToRawLongBits(cells[from + cell]);
          }
        });
  }

  /**
   * Adds cells that are little-endian bytes.
   *
   * @param bytes the cells, of which the one at offset 0 begins at index 0, whatever the position
   * @param elementSize 1, 2, 4 or 8 bytes
   */
  public void add(ByteBuffer bytes, int elementSize, int offset, int count, long firstIndex) {
    addBlocks(offset, count, firstIndex, load(bytes, elementSize));
  }

  /** The bits of little-endian cells, of which the one at offset 0 begins at index 0. */
  static Load load(ByteBuffer bytes, int elementSize) {
    ByteBuffer cells = bytes.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
    return switch (elementSize) {
      case Byte.BYTES ->
          (bits, from, n) -> {
            for (int cell = 0; cell < n; cell++) {
              bits[cell] = Byte.toUnsignedLong(cells.get(from + cell));
            }
          };
      case Short.BYTES -> {
        ShortBuffer shorts = cells.asShortBuffer();
        yield (bits, from, n) -> {
          for (int cell = 0; cell < n; cell++) {
            bits[cell] = Short.toUnsignedLong(shorts.get(from + cell));
          }
        };
      }
      case Integer.BYTES -> {
        IntBuffer ints = cells.asIntBuffer();
        yield (bits, from, n) -> {
          for (int cell = 0; cell < n; cell++) {
            bits[cell] = Integer.toUnsignedLong(ints.get(from + cell));
          }
        };
      }
      case Long.BYTES -> {
        LongBuffer longs = cells.asLongBuffer();
        yield (bits, from, n) -> longs.get(from, bits, 0, n);
      }
      default ->
          throw new IllegalArgumentException(
              String.format("a cell has 1, 2, 4 or 8 bytes, not %d.", elementSize));
    };
  }

  private void addBlocks(int offset, int count, long firstIndex, Load load) {
    for (int done = 0; done < count; done += BLOCK_CELLS) {
      int part = Math.min(BLOCK_CELLS, count - done);
      load.cells(block, offset + done, part);
      addBlock(part, firstIndex + done);
    }
  }

  /** Two simple loops, which the compiler understands better than one. */
  private void addBlock(int count, long firstIndex) {
    long firstTerm = (firstIndex + 1) * FIRST_STEP;
    for (int cell = 0; cell < count; cell++) {
      firstSums[cell] += firstMix(block[cell] + (FIRST_TERMS[cell] + firstTerm));
    }
    long secondTerm = (firstIndex + 1) * SECOND_STEP;
    for (int cell = 0; cell < count; cell++) {
      secondSums[cell] += secondMix(block[cell] + (SECOND_TERMS[cell] + secondTerm));
    }
  }

  /** The finalizer of SplitMix64. */
  static long firstMix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  /** The finalizer of MurmurHash3. */
  static long secondMix(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
