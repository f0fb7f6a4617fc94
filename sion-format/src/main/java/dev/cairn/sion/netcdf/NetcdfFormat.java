package dev.cairn.sion.netcdf;

import java.util.Optional;

/** The variants of the classic format. They differ in the widths of fields, and so in limits. */
public enum NetcdfFormat {
  /** Positions below 2 GiB. */
  CDF_1(1, Integer.BYTES, Integer.BYTES, Integer.MAX_VALUE - 3L),
  /** Positions of 64 bits, "64-bit offset". */
  CDF_2(2, Integer.BYTES, Long.BYTES, (1L << 32) - 4),
  /** Counts of 64 bits, and five more types, "64-bit data". */
  CDF_5(5, Long.BYTES, Long.BYTES, Long.MAX_VALUE - 3);

  private final int version;
  private final int countWidth;
  private final int beginWidth;
  private final long mostLength;

  NetcdfFormat(int version, int countWidth, int beginWidth, long mostLength) {
    this.version = version;
    this.countWidth = countWidth;
    this.beginWidth = beginWidth;
    this.mostLength = mostLength;
  }

  static Optional<NetcdfFormat> ofVersion(int version) {
    for (NetcdfFormat format : values()) {
      if (format.version == version) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** The fourth byte of a file. */
  int version() {
    return version;
  }

  /** The bytes of a count, a length or a size in the header. */
  int countWidth() {
    return countWidth;
  }

  /** The bytes of the position of a variable in the header. */
  int beginWidth() {
    return beginWidth;
  }

  /** The largest length of a dimension, and the most bytes of a variable that others follow. */
  long mostLength() {
    return mostLength;
  }

  /** The last byte at which a variable may begin. */
  long lastBegin() {
    return beginWidth == Integer.BYTES ? Integer.MAX_VALUE : Long.MAX_VALUE;
  }

  /** Whether variables and attributes may be of this type. */
  public boolean has(NetcdfType type) {
    return this == CDF_5 || type.code() <= NetcdfType.DOUBLE.code();
  }

  @Override
  public String toString() {
    return "CDF-" + version;
  }
}
