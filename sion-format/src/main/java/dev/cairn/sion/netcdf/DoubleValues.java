package dev.cairn.sion.netcdf;

import java.nio.ByteBuffer;

/** Floating numbers of 8 bytes. */
final class DoubleValues extends Values {
  private final double[] array;

  DoubleValues(double[] array) {
    super(NetcdfType.DOUBLE, array.length);
    this.array = array;
  }

  @Override
  long integer(int index) {
    return truncated(array[index]);
  }

  @Override
  double real(int index) {
    return array[index];
  }

  @Override
  void take(int index, Values source, int sourceIndex) {
    array[index] = source.real(sourceIndex);
  }

  @Override
  void encode(int from, int count, ByteBuffer cells) {
    cells.asDoubleBuffer().put(array, from, count);
  }

  @Override
  void decode(int from, int count, ByteBuffer cells) {
    cells.asDoubleBuffer().get(array, from, count);
  }
}
