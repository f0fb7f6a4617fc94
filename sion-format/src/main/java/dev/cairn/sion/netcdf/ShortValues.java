package dev.cairn.sion.netcdf;

import java.nio.ByteBuffer;

/** Signed or unsigned integers of 2 bytes. */
final class ShortValues extends Values {
  private final short[] array;

  ShortValues(NetcdfType type, short[] array) {
    super(type, array.length);
    this.array = array;
  }

  @Override
  long integer(int index) {
    return type() == NetcdfType.SHORT ? array[index] : Short.toUnsignedLong(array[index]);
  }

  @Override
  double real(int index) {
    return integer(index);
  }

  @Override
  void take(int index, Values source, int sourceIndex) {
    array[index] = (short) source.integer(sourceIndex);
  }

  @Override
  void encode(int from, int count, ByteBuffer cells) {
    cells.asShortBuffer().put(array, from, count);
  }

  @Override
  void decode(int from, int count, ByteBuffer cells) {
    cells.asShortBuffer().get(array, from, count);
  }
}
