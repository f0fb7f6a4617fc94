package dev.cairn.sion.netcdf;

import java.nio.ByteBuffer;

/** Signed or unsigned integers of 8 bytes. */
final class LongValues extends Values {
  private final long[] array;

  LongValues(NetcdfType type, long[] array) {
    super(type, array.length);
    this.array = array;
  }

  @Override
  long integer(int index) {
    return array[index];
  }

  @Override
  double real(int index) {
    return realOf(array[index]);
  }

  @Override
  void take(int index, Values source, int sourceIndex) {
    array[index] = source.integer(sourceIndex);
  }

  @Override
  void encode(int from, int count, ByteBuffer cells) {
    cells.asLongBuffer().put(array, from, count);
  }

  @Override
  void decode(int from, int count, ByteBuffer cells) {
    cells.asLongBuffer().get(array, from, count);
  }
}
