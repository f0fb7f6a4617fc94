package dev.cairn.sion.stripe;

/**
 * Consecutive bytes of a logical file.
 *
 * @param offset where they begin
 * @param length how many they are
 */
public record LogicalExtent(long offset, long length) {
  /** Refuses negative numbers, and an end behind 2^63 - 1. */
  public LogicalExtent {
    Positions.end(offset, length);
  }

  /** The offset behind the last byte. */
  public long end() {
    return offset + length;
  }
}
