package dev.cairn.sion.pnetcdf;

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
}
