package dev.cairn.sion.netcdf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.IntConsumer;

/**
 * The values of an array in memory, with the type that they have: what is written into a file, or
 * the place to which is read. It is a view of the array, not a copy. It holds no state of its own,
 * so threads may use it as they may use the array.
 *
 * <p>If the types differ, numbers are converted as C converts them, and those that do not fit are
 * refused: an integer becomes the nearest number of a floating type, a floating number loses what
 * is behind its point. Text is converted to nothing else.
 */
public abstract sealed class Values
    permits ByteValues, ShortValues, IntValues, LongValues, FloatValues, DoubleValues, Cells {
  private static final double TWO_TO_63 = 0x1p63;

  private final NetcdfType type;
  private final int count;

  Values(NetcdfType type, int count) {
    this.type = type;
    this.count = count;
  }

  /** {@link NetcdfType#BYTE}. */
  public static Values of(byte[] array) {
    return new ByteValues(NetcdfType.BYTE, array);
  }

  /** {@link NetcdfType#SHORT}. */
  public static Values of(short[] array) {
    return new ShortValues(NetcdfType.SHORT, array);
  }

  /** {@link NetcdfType#INT}. */
  public static Values of(int[] array) {
    return new IntValues(NetcdfType.INT, array);
  }

  /** {@link NetcdfType#INT64}. */
  public static Values of(long[] array) {
    return new LongValues(NetcdfType.INT64, array);
  }

  /** {@link NetcdfType#FLOAT}. */
  public static Values of(float[] array) {
    return new FloatValues(array);
  }

  /** {@link NetcdfType#DOUBLE}. */
  public static Values of(double[] array) {
    return new DoubleValues(array);
  }

  /** {@link NetcdfType#UBYTE}: the bits are numbers from 0 to 255. */
  public static Values ofUnsigned(byte[] array) {
    return new ByteValues(NetcdfType.UBYTE, array);
  }

  /** {@link NetcdfType#USHORT}: the bits are numbers from 0 to 65,535. */
  public static Values ofUnsigned(short[] array) {
    return new ShortValues(NetcdfType.USHORT, array);
  }

  /** {@link NetcdfType#UINT}: the bits are numbers from 0 to 2^32 - 1. */
  public static Values ofUnsigned(int[] array) {
    return new IntValues(NetcdfType.UINT, array);
  }

  /** {@link NetcdfType#UINT64}: the bits are numbers from 0 to 2^64 - 1. */
  public static Values ofUnsigned(long[] array) {
    return new LongValues(NetcdfType.UINT64, array);
  }

  /** {@link NetcdfType#CHAR}: characters of 8 bits, in whatever encoding. */
  public static Values ofText(byte[] array) {
    return new ByteValues(NetcdfType.CHAR, array);
  }

  /** {@link NetcdfType#CHAR}: the bytes of {@code text} in UTF-8. */
  public static Values ofText(String text) {
    return ofText(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Values as a file has them: big-endian, one behind the other; all that remain of the buffer. */
  public static Values ofCells(NetcdfType type, ByteBuffer cells) {
    return Cells.of(type, cells);
  }

  public final NetcdfType type() {
    return type;
  }

  public final int count() {
    return count;
  }

  /** The index of the first value that no cell of {@code cellType} can have; -1 if all fit. */
  public final int firstMisfit(NetcdfType cellType) {
    return Conversion.firstMisfit(this, cellType);
  }

  /** The bytes that a file has for these values in cells of {@code cellType}, all of which fit. */
  public final ByteBuffer encodedAs(NetcdfType cellType) {
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(count, cellType.size()));
    Conversion.write(this, 0, Cells.of(cellType, bytes));
    return bytes;
  }

  /**
   * The bytes that a file has for these values in cells of {@code variable}. Those that do not fit
   * become its fill value, as PnetCDF writes them: numbers below the least or above the most of the
   * type, also by less than 1, and infinity of another type. NaN does not fit into an integer.
   *
   * @param misfits called with the index of each value that does not fit
   */
  public final ByteBuffer encodedFor(Variable variable, IntConsumer misfits) {
    NetcdfType cellType = variable.type();
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(count, cellType.size()));
    Conversion.writeFilling(this, Cells.of(cellType, bytes), variable.fillValue(), misfits);
    return bytes;
  }

  /** The value as an integer, without what is behind its point; bits if it is 2^63 or more. */
  abstract long integer(int index);

  /** The value as the nearest {@code double}. */
  abstract double real(int index);

  /** The value as the nearest {@code float}, which is rounded once. */
  final float single(int index) {
    if (type.isFloating()) {
      return (float) real(index);
    }
    long integer = integer(index);
    return isHuge(integer) ? 2 * (float) half(integer) : (float) integer;
  }

  /** Converts a value of {@code source}, which this type can have. */
  abstract void take(int index, Values source, int sourceIndex);

  /** Puts values, without conversion, at the position of {@code cells}. */
  abstract void encode(int from, int count, ByteBuffer cells);

  /** Takes values, without conversion, from the position of {@code cells}. */
  abstract void decode(int from, int count, ByteBuffer cells);

  /** The {@code double} that is nearest to an integer of this type. */
  final double realOf(long integer) {
    return isHuge(integer) ? 2 * (double) half(integer) : (double) integer;
  }

  /** Whether these bits are a number of 2^63 or more. */
  private boolean isHuge(long integer) {
    return type == NetcdfType.UINT64 && integer < 0;
  }

  /** Half of a number of 2^63 or more, which rounds as the number does. */
  private static long half(long bits) {
    return (bits >>> 1) | (bits & 1);
  }

  /** Cuts towards 0; the bits of a number of 2^63 or more. */
  static long truncated(double real) {
    return real < TWO_TO_63 ? (long) real : (long) (real - TWO_TO_63) | Long.MIN_VALUE;
  }

  /** The value as a person writes it. */
  public final String text(int index) {
    if (type.isFloating()) {
      return type == NetcdfType.FLOAT
          ? Float.toString(single(index))
          : Double.toString(real(index));
    }
    return type == NetcdfType.UINT64
        ? Long.toUnsignedString(integer(index))
        : Long.toString(integer(index));
  }
}
