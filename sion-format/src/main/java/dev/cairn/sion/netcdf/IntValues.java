package dev.cairn.sion.netcdf;

import java.nio.ByteBuffer;

/** Signed or unsigned integers of 4 bytes. */
final class IntValues extends Values {
  private final int[] array;

  IntValues(NetcdfType type, int[] array) {
    super(type, array.length);
    this.array = array;
  }

  @Override
  long integer(int index) {
    return type() == NetcdfType.INT ? array[index] : Integer.toUnsignedLong(array[index]);
  }

  @Override
  double real(int index) {
    return integer(index);
  }

  @Override
  void take(int index, Values source, int sourceIndex) {
    array[index] = (int) source.integer(sourceIndex);
  }

  @Override
  void encode(int from, int count, ByteBuffer cells) {
    cells.asIntBuffer().put(array, from, count);
  }

  @Override
  void decode(int from, int count, ByteBuffer cells) {
    cells.asIntBuffer().get(array, from, count);
  }
}
