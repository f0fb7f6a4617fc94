package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.NetcdfFormat;
import dev.cairn.sion.netcdf.NetcdfType;
import dev.cairn.sion.netcdf.Values;
import java.nio.ByteBuffer;

/** Makes values of the bytes that a log has for them. */
final class PutValues {
  private PutValues() {}

  /** All values in {@code bytes}, which are in their byte order. */
  static Values of(StagedPut.MemoryType type, ByteBuffer bytes) {
    return switch (type) {
      case TEXT -> Values.ofText(bytes(bytes));
      case SIGNED_CHAR -> Values.of(bytes(bytes));
      case UNSIGNED_CHAR -> Values.ofUnsigned(bytes(bytes));
      case SHORT -> Values.of(shorts(bytes));
      case UNSIGNED_SHORT -> Values.ofUnsigned(shorts(bytes));
      case INT -> Values.of(ints(bytes));
      case UNSIGNED_INT -> Values.ofUnsigned(ints(bytes));
      case FLOAT -> Values.of(floats(bytes));
      case DOUBLE -> Values.of(doubles(bytes));
      case LONG_LONG, LONG -> Values.of(longs(bytes));
      case UNSIGNED_LONG_LONG -> Values.ofUnsigned(longs(bytes));
    };
  }

  /**
   * The type as which values are put to a variable. The formats without unsigned types keep
   * unsigned bytes in signed ones, bit for bit, so no byte is out of range there.
   */
  static StagedPut.MemoryType typeFor(
      StagedPut.MemoryType type, NetcdfType ofVariable, NetcdfFormat format) {
    boolean isKeptBitForBit =
        type == StagedPut.MemoryType.UNSIGNED_CHAR
            && ofVariable == NetcdfType.BYTE
            && format != NetcdfFormat.CDF_5;
    return isKeptBitForBit ? StagedPut.MemoryType.SIGNED_CHAR : type;
  }

  private static byte[] bytes(ByteBuffer source) {
    byte[] values = new byte[source.remaining()];
    source.get(values);
    return values;
  }

  private static short[] shorts(ByteBuffer source) {
    short[] values = new short[source.remaining() / Short.BYTES];
    source.asShortBuffer().get(values);
    return values;
  }

  private static int[] ints(ByteBuffer source) {
    int[] values = new int[source.remaining() / Integer.BYTES];
    source.asIntBuffer().get(values);
    return values;
  }

  private static long[] longs(ByteBuffer source) {
    long[] values = new long[source.remaining() / Long.BYTES];
    source.asLongBuffer().get(values);
    return values;
  }

  private static float[] floats(ByteBuffer source) {
    float[] values = new float[source.remaining() / Float.BYTES];
    source.asFloatBuffer().get(values);
    return values;
  }

  private static double[] doubles(ByteBuffer source) {
    double[] values = new double[source.remaining() / Double.BYTES];
    source.asDoubleBuffer().get(values);
    return values;
  }
}
