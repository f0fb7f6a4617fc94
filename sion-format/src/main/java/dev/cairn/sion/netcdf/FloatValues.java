package dev.cairn.sion.netcdf;

import java.nio.ByteBuffer;

/** Floating numbers of 4 bytes. */
final class FloatValues extends Values {
  private final float[] array;

  FloatValues(float[] array) {
    super(NetcdfType.FLOAT, array.length);
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
    array[index] = source.single(sourceIndex);
  }

  @Override
  void encode(int from, int count, ByteBuffer cells) {
    cells.asFloatBuffer().put(array, from, count);
  }

  @Override
  void decode(int from, int count, ByteBuffer cells) {
    cells.asFloatBuffer().get(array, from, count);
  }
}
