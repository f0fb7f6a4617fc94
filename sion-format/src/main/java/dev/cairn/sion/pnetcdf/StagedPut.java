package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.NetcdfType;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A put that waits in a log. The data log has its values, box by box, those of a box in row-major
 * order.
 *
 * @param variable the variable of the NetCDF file, from 0 in the order of their definition
 * @param type the type of the values in the log
 * @param boxes the cells that are put
 * @param dataOffset where the values begin in the data log
 */
public record StagedPut(int variable, MemoryType type, PutBoxes boxes, long dataOffset) {
  public StagedPut {
    if (variable < 0 || dataOffset < 0) {
      throw new IllegalArgumentException("variables and bytes should be counted from 0");
    }
    if (boxes.cellCount() > (Long.MAX_VALUE - dataOffset) / type.size()) {
      throw new IllegalArgumentException("a data log should have at most 2^63 - 1 bytes");
    }
  }

  /** The bytes of its values. */
  public long dataSize() {
    return boxes.cellCount() * type.size();
  }

  /** Where its values end in the data log. */
  long dataEnd() {
    return dataOffset + dataSize();
  }

  /** The type that values had in the memory of the program, and have in the log. */
  public enum MemoryType {
    TEXT(1, 1),
    SIGNED_CHAR(2, 1),
    UNSIGNED_CHAR(3, 1),
    SHORT(4, 2),
    UNSIGNED_SHORT(5, 2),
    INT(6, 4),
    UNSIGNED_INT(7, 4),
    FLOAT(8, 4),
    DOUBLE(9, 8),
    LONG_LONG(10, 8),
    UNSIGNED_LONG_LONG(11, 8),

    /** As long as a pointer; all known logs are from 64-bit systems. */
    LONG(13, 8);

    private final int code;
    private final int size;

    MemoryType(int code, int size) {
      this.code = code;
      this.size = size;
    }

    /** Its number in logs. */
    int code() {
      return code;
    }

    /** The bytes of a value. */
    public int size() {
      return size;
    }

    static Optional<MemoryType> of(int code) {
      return Arrays.stream(values()).filter(type -> type.code == code).findFirst();
    }

    /** The type whose values are the cells of {@code type}. */
    static MemoryType ofCells(NetcdfType type) {
      return switch (type) {
        case BYTE -> SIGNED_CHAR;
        case CHAR -> TEXT;
        case SHORT -> SHORT;
        case INT -> INT;
        case FLOAT -> FLOAT;
        case DOUBLE -> DOUBLE;
        case UBYTE -> UNSIGNED_CHAR;
        case USHORT -> UNSIGNED_SHORT;
        case UINT -> UNSIGNED_INT;
        case INT64 -> LONG_LONG;
        case UINT64 -> UNSIGNED_LONG_LONG;
      };
    }

    /** As C calls it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }
}
