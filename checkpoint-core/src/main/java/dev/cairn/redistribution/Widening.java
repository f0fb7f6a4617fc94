package dev.cairn.redistribution;

import java.nio.ByteBuffer;

/**
 * How numbers of one type become those of a wider one that has them all, and back. The way there
 * and back gives the same bits, those of a NaN too.
 *
 * @param kind what kind of number they are
 * @param narrowSize the bytes of the narrower type
 * @param wideSize the bytes of the wider type
 */
public record Widening(Kind kind, int narrowSize, int wideSize) {
  private static final int FRACTION_SHIFT = 52 - 23;

  /** What kind of number the narrower type has. */
  public enum Kind {
    SIGNED,
    UNSIGNED,
    FLOATING
  }

  /** Whether there is nothing to be done. */
  public boolean isNone() {
    return narrowSize == wideSize;
  }

  /** Widens {@code count} little-endian numbers, from number {@code from} on, to the front. */
  void widen(ByteBuffer narrow, int from, ByteBuffer wide, int count) {
    for (int cell = 0; cell < count; cell++) {
      put(wide, wideSize, cell, widen(get(narrow, narrowSize, from + cell)));
    }
  }

  /** Narrows {@code count} little-endian numbers at the front, to number {@code to} and on. */
  void narrow(ByteBuffer wide, ByteBuffer narrow, int to, int count) {
    for (int cell = 0; cell < count; cell++) {
      put(narrow, narrowSize, to + cell, narrow(get(wide, wideSize, cell)));
    }
  }

  private long widen(long bits) {
    int unused = Long.SIZE - narrowSize * Byte.SIZE;
    return switch (kind) {
      case SIGNED -> bits << unused >> unused;
      case UNSIGNED -> bits;
      case FLOATING -> doubleBits((int) bits);
    };
  }

  private long narrow(long bits) {
    return kind == Kind.FLOATING ? floatBits(bits) : bits;
  }

  /** Bits are moved for a NaN, since a conversion may change them. */
  private static long doubleBits(int bits) {
    float value = Float.intBitsToFloat(bits);
    if (!Float.isNaN(value)) {
      return Double.doubleToRawLongBits(value);
    }
    return ((bits & 0x80000000L) << Integer.SIZE)
        | 0x7ff0000000000000L
        | ((bits & 0x7fffffL) << FRACTION_SHIFT);
  }

  private static long floatBits(long bits) {
    double value = Double.longBitsToDouble(bits);
    if (!Double.isNaN(value)) {
      return Float.floatToRawIntBits((float) value);
    }
    return ((bits >>> Integer.SIZE) & 0x80000000L)
        | 0x7f800000L
        | ((bits >>> FRACTION_SHIFT) & 0x7fffffL);
  }

  private static long get(ByteBuffer bytes, int size, int cell) {
    return switch (size) {
      case Byte.BYTES -> Byte.toUnsignedLong(bytes.get(cell));
      case Short.BYTES -> Short.toUnsignedLong(bytes.getShort(cell * size));
      case Integer.BYTES -> Integer.toUnsignedLong(bytes.getInt(cell * size));
      default -> bytes.getLong(cell * size);
    };
  }

  private static void put(ByteBuffer bytes, int size, int cell, long bits) {
    switch (size) {
      case Byte.BYTES -> bytes.put(cell, (byte) bits);
      case Short.BYTES -> bytes.putShort(cell * size, (short) bits);
      case Integer.BYTES -> bytes.putInt(cell * size, (int) bits);
      default -> bytes.putLong(cell * size, bits);
    }
  }
}
