package dev.cairn.sion.netcdf;

import dev.cairn.sion.field.Range;
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

  /** The first 4 bytes of a file. */
  byte[] magic() {
    return new byte[] {'C', 'D', 'F', (byte) version};
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

  /** The numbers of its types. */
  Range typeCodes() {
    NetcdfType last = this == CDF_5 ? NetcdfType.UINT64 : NetcdfType.DOUBLE;
    return new Range(NetcdfType.BYTE.code(), last.code());
  }

  /** Whether variables and attributes may be of this type. */
  public boolean has(NetcdfType type) {
    return typeCodes().holds(type.code());
  }

  @Override
  public String toString() {
    return "CDF-" + version;
  }
}
