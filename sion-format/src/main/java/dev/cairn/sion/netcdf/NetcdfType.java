package dev.cairn.sion.netcdf;

/** The types of cells and attributes. Those from {@link #UBYTE} on exist in CDF-5 only. */
public enum NetcdfType {
  BYTE(1, Byte.BYTES, Byte.MIN_VALUE, Byte.MAX_VALUE),
  /** A character of 8 bits; no number. */
  CHAR(2, Byte.BYTES, 0, 0xff),
  SHORT(3, Short.BYTES, Short.MIN_VALUE, Short.MAX_VALUE),
  INT(4, Integer.BYTES, Integer.MIN_VALUE, Integer.MAX_VALUE),
  FLOAT(5, Float.BYTES, 0, 0),
  DOUBLE(6, Double.BYTES, 0, 0),
  UBYTE(7, Byte.BYTES, 0, 0xff),
  USHORT(8, Short.BYTES, 0, 0xffff),
  UINT(9, Integer.BYTES, 0, 0xffff_ffffL),
  INT64(10, Long.BYTES, Long.MIN_VALUE, Long.MAX_VALUE),
  /** Carried in the bits of a {@code long}; its values from 2^63 on are handled separately. */
  UINT64(11, Long.BYTES, 0, Long.MAX_VALUE);

  private static final double TWO_TO_64 = 0x1p64;

  private final int code;
  private final int size;
  private final long least;
  private final long most;

  NetcdfType(int code, int size, long least, long most) {
    this.code = code;
    this.size = size;
    this.least = least;
    this.most = most;
  }

  /** The type with this number, which is in {@link NetcdfFormat#typeCodes}. */
  static NetcdfType ofCode(int code) {
    return values()[code - 1];
  }

  /** Its number in a header. */
  int code() {
    return code;
  }

  /** The bytes of a cell. */
  public int size() {
    return size;
  }

  boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /** Whether a cell of this type can have each value of {@code other}, perhaps rounded. */
  boolean holdsAll(NetcdfType other) {
    if (this == other || this == DOUBLE || (this == FLOAT && !other.isFloating())) {
      return true;
    }
    return !other.isFloating()
        && !isFloating()
        && holds(other.least, other)
        && holds(other == UINT64 ? -1 : other.most, other);
  }

  /** Whether a cell of this type can have an integer of type {@code source}. */
  boolean holds(long integer, NetcdfType source) {
    if (isFloating()) {
      return true;
    }
    boolean isHuge = source == UINT64 && integer < 0;
    return isHuge ? this == UINT64 : integer >= least && integer <= most;
  }

  /** Whether a cell of this type can have {@code real}: rounded, or cut towards 0 if integer. */
  boolean holds(double real) {
    if (this == DOUBLE) {
      return true;
    }
    if (this == FLOAT) {
      return !(Math.abs(real) > Float.MAX_VALUE) || Double.isInfinite(real);
    }
    double whole = real < 0 ? Math.ceil(real) : Math.floor(real);
    return whole >= least && whole < (this == UINT64 ? TWO_TO_64 : (double) most + 1);
  }

  /** Whether {@code real} is, before it is cut, from the least to the most value of this type. */
  boolean encloses(double real) {
    return switch (this) {
      case FLOAT -> !(Math.abs(real) > Float.MAX_VALUE);
      case DOUBLE -> !Double.isInfinite(real);
      case UINT64 -> real >= 0 && real < TWO_TO_64;
      default -> real >= least && real <= most && real < (double) most + 1;
    };
  }

  /** What a cell has that no one wrote, unless the attribute {@code _FillValue} says otherwise. */
  Values defaultFill() {
    return switch (this) {
      case BYTE -> Values.of(new byte[] {-127});
      case CHAR -> Values.ofText(new byte[] {0});
      case SHORT -> Values.of(new short[] {-32767});
      case INT -> Values.of(new int[] {-2147483647});
      case FLOAT -> Values.of(new float[] {9.96921e36f});
      case DOUBLE -> Values.of(new double[] {9.969209968386869e36});
      case UBYTE -> Values.ofUnsigned(new byte[] {-1});
      case USHORT -> Values.ofUnsigned(new short[] {-1});
      case UINT -> Values.ofUnsigned(new int[] {-1});
      case INT64 -> Values.of(new long[] {-9223372036854775806L});
      case UINT64 -> Values.ofUnsigned(new long[] {-2L});
    };
  }
}
