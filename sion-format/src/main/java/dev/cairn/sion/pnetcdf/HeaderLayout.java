package dev.cairn.sion.pnetcdf;

/**
 * The layouts that the header of a metadata log has had. The header is a structure of C as it lies
 * in memory, followed by names; nothing in it says which layout it has.
 */
public enum HeaderLayout {
  /** PnetCDF 1.10.0. */
  A("1.10.0", Integer.BYTES, 72, 4),

  /** PnetCDF 1.11.0 to 1.12.2. */
  B1("1.11.0 to 1.12.2", Integer.BYTES, 72, 4),

  /** PnetCDF 1.12.3. */
  B2("1.12.3", Integer.BYTES, 72, 16),

  /** PnetCDF 1.13.0 and later. */
  C("1.13.0 and later", Long.BYTES, 80, 16);

  /** Where the writer stores the number of entries, whatever field of the layout lies there. */
  static final int COUNT_OFFSET = 56;

  private final String releases;
  private final int lengthSize;
  private final int structureSize;
  private final int alignment;

  HeaderLayout(String releases, int lengthSize, int structureSize, int alignment) {
    this.releases = releases;
    this.lengthSize = lengthSize;
    this.structureSize = structureSize;
    this.alignment = alignment;
  }

  /** The releases of PnetCDF that write it. */
  public String releases() {
    return releases;
  }

  /** Whether the name of the processor follows that of the target. */
  boolean hasProcessor() {
    return this != A;
  }

  /**
   * Whether the field where the count is stored has that meaning; later layouts moved the field.
   */
  boolean hasCountInPlace() {
    return this == A;
  }

  /** The bytes of the length of the target's name. */
  int lengthSize() {
    return lengthSize;
  }

  /** Where a second {@code enddef} stores the most dimensions of a variable: a wrong place. */
  int dimensionsOffset() {
    return structureSize - (lengthSize == Long.BYTES ? 25 : 21);
  }

  /** The bytes of a header with names of these lengths. */
  int headerSize(int targetLength, int processorLength) {
    int names =
        hasProcessor() ? targetLength + 1 + Integer.BYTES + processorLength + 1 : targetLength;
    return (structureSize + names + alignment - 1) / alignment * alignment;
  }
}
