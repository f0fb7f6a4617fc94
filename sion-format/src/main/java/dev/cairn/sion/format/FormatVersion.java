package dev.cairn.sion.format;

import dev.cairn.sion.field.Range;

/** The file format versions that we read, and what differs between them. We write {@link #V5}. */
public enum FormatVersion {
  /** META1 has no file number and no flags; chunk sizes as in {@link #V3}. */
  V2(2),
  /** META1 holds the chunk sizes as requested; chunks lie as if they were rounded up. */
  V3(3),
  /** The flags do not hold a key-value mode. */
  V4(4),
  V5(5);

  /** The numbers of all versions. */
  static final Range NUMBERS = new Range(V2.number, V5.number);

  private final int number;

  FormatVersion(int number) {
    this.number = number;
  }

  /** The version of this number, which is one of {@link #NUMBERS}. */
  static FormatVersion of(int number) {
    return values()[number - V2.number];
  }

  public int number() {
    return number;
  }

  boolean hasFileNumberAndFlags() {
    return this != V2;
  }

  /** Whether META1 holds chunk sizes that are already rounded up to blocks. */
  public boolean storesRoundedChunkSizes() {
    return this == V4 || this == V5;
  }

  public boolean hasKeyValueMode() {
    return this == V5;
  }
}
