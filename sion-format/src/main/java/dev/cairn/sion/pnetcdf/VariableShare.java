package dev.cairn.sion.pnetcdf;

/**
 * What is put to a variable.
 *
 * @param name its name
 * @param putCount how many puts there are
 * @param valueCount how many values they have
 * @param cellCount how many cells get a value
 */
public record VariableShare(String name, long putCount, long valueCount, long cellCount) {
  /** How many values do not count, since others are put to the same cells. */
  public long overlappingCount() {
    return valueCount - cellCount;
  }
}
