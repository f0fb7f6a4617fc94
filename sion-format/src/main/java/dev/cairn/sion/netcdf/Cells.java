package dev.cairn.sion.netcdf;

import java.nio.ByteBuffer;

/** Values as they are in a file: big-endian, one behind the other. */
final class Cells extends Values {
  private final ByteBuffer bytes;

  private Cells(NetcdfType type, ByteBuffer bytes) {
    super(type, bytes.remaining() / type.size());
    this.bytes = bytes;
  }

  /** A view of all that remains of {@code bytes}. */
  static Cells of(NetcdfType type, ByteBuffer bytes) {
    return new Cells(type, bytes.slice());
  }

  /** All of them, from position 0 on. */
  ByteBuffer bytes() {
    return bytes.duplicate();
  }

  @Override
  long integer(int index) {
    int position = index * type().size();
    return switch (type()) {
      case BYTE -> bytes.get(position);
      case CHAR, UBYTE -> Byte.toUnsignedLong(bytes.get(position));
      case SHORT -> bytes.getShort(position);
      case USHORT -> Short.toUnsignedLong(bytes.getShort(position));
      case INT -> bytes.getInt(position);
      case UINT -> Integer.toUnsignedLong(bytes.getInt(position));
      case INT64, UINT64 -> bytes.getLong(position);
      case FLOAT, DOUBLE -> truncated(real(index));
    };
  }

  @Override
  double real(int index) {
    return switch (type()) {
      case FLOAT -> bytes.getFloat(index * Float.BYTES);
      case DOUBLE -> bytes.getDouble(index * Double.BYTES);
      default -> realOf(integer(index));
    };
  }

  @Override
  void take(int index, Values source, int sourceIndex) {
    int position = index * type().size();
    switch (type()) {
      case BYTE, CHAR, UBYTE -> bytes.put(position, (byte) source.integer(sourceIndex));
      case SHORT, USHORT -> bytes.putShort(position, (short) source.integer(sourceIndex));
      case INT, UINT -> bytes.putInt(position, (int) source.integer(sourceIndex));
      case INT64, UINT64 -> bytes.putLong(position, source.integer(sourceIndex));
      case FLOAT -> bytes.putFloat(position, source.single(sourceIndex));
      case DOUBLE -> bytes.putDouble(position, source.real(sourceIndex));
    }
  }

  @Override
  void encode(int from, int count, ByteBuffer cells) {
    cells.put(bytes.slice(from * type().size(), count * type().size()));
  }

  @Override
  void decode(int from, int count, ByteBuffer cells) {
    bytes
        .slice(from * type().size(), count * type().size())
        .put(cells.slice().limit(count * type().size()));
  }
}
