package dev.cairn.sion.netcdf;

import java.nio.ByteBuffer;

/** Signed or unsigned bytes, or characters. */
final class ByteValues extends Values {
  private final byte[] array;

  ByteValues(NetcdfType type, byte[] array) {
    super(type, array.length);
    this.array = array;
  }

  @Override
  long integer(int index) {
    return type() == NetcdfType.BYTE ? array[index] : Byte.toUnsignedLong(array[index]);
  }

  @Override
  double real(int index) {
    return integer(index);
  }

  @Override
  void take(int index, Values source, int sourceIndex) {
    array[index] = (byte) source.integer(sourceIndex);
  }

  @Override
  void encode(int from, int count, ByteBuffer cells) {
    cells.put(array, from, count);
  }

  @Override
  void decode(int from, int count, ByteBuffer cells) {
    cells.get(array, from, count);
  }
}
