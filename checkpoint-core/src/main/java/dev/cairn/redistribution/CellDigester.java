package dev.cairn.redistribution;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Adds cells up to a {@link CellDigest}; a {@link DigestFormula} makes it. Each call adds {@code
 * count} cells from {@code offset} on, whose global numbers follow {@code firstIndex} without gaps.
 * Not thread-safe.
 */
public final class CellDigester {
  private static final int LINE_CELLS = CellSums.LINE_CELLS;

  /**
   * One for each thread: it holds nothing between two calls, and there may be very many digesters.
   */
  private static final ThreadLocal<long[]> LINES =
      ThreadLocal.withInitial(() -> new long[LINE_CELLS]);

  private final CellSums sums;

  CellDigester(CellSums sums) {
    this.sums = sums;
  }

  /**
   * Puts the bits of {@code count} cells from {@code offset} on into a line; those above the size
   * of a cell are 0.
   */
  public interface Load {
    void cells(long[] line, int place, int offset, int count);
  }

  /** The digest of all that was added. */
  public CellDigest digest() {
    return sums.digest();
  }

  /**
   * Adds cells that are little-endian bytes.
   *
   * @param bytes the cells, of which the one at offset 0 begins at index 0, whatever the position
   * @param elementSize 1, 2, 4 or 8 bytes
   */
  public void add(ByteBuffer bytes, int elementSize, int offset, int count, long firstIndex) {
    add(load(bytes, elementSize), offset, count, firstIndex);
  }

  /** The bits of little-endian cells, of which the one at offset 0 begins at index 0. */
  static Load load(ByteBuffer bytes, int elementSize) {
    ByteBuffer cells = bytes.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
    return switch (elementSize) {
      case Byte.BYTES ->
          (bits, place, from, n) -> {
            for (int cell = 0; cell < n; cell++) {
              bits[place + cell] = Byte.toUnsignedLong(cells.get(from + cell));
            }
          };
      case Short.BYTES -> {
        ShortBuffer shorts = cells.asShortBuffer();
        yield (bits, place, from, n) -> {
          for (int cell = 0; cell < n; cell++) {
            bits[place + cell] = Short.toUnsignedLong(shorts.get(from + cell));
          }
        };
      }
      case Integer.BYTES -> {
        IntBuffer ints = cells.asIntBuffer();
        yield (bits, place, from, n) -> {
          for (int cell = 0; cell < n; cell++) {
            bits[place + cell] = Integer.toUnsignedLong(ints.get(from + cell));
          }
        };
      }
      case Long.BYTES -> {
        LongBuffer longs = cells.asLongBuffer();
        yield (bits, place, from, n) -> longs.get(from, bits, place, n);
      }
      default ->
          throw new IllegalArgumentException(
              String.format("a cell has 1, 2, 4 or 8 bytes, not %d.", elementSize));
    };
  }

  /** That of this thread, for the bits of {@link CellSums#LINE_CELLS} cells. */
  static long[] line() {
    return LINES.get();
  }

  /** Adds cells whose bits {@code load} knows. */
  void add(Load load, int offset, int count, long firstIndex) {
    long[] line = line();
    for (int done = 0, part; done < count; done += part) {
      long number = firstIndex + done;
      int place = (int) (number % LINE_CELLS);
      part = Math.min(LINE_CELLS - place, count - done);
      load.cells(line, place, offset + done, part);
      sums.add(line, place, place + part, number / LINE_CELLS);
    }
  }
}
