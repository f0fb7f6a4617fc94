package dev.cairn.sion.stripe;

/**
 * Consecutive bytes of a file, be it a physical or a logical one, or of a request in memory.
 *
 * @param offset where they begin
 * @param length how many they are
 */
public record Extent(long offset, long length) {
  /** Refuses negative numbers, and an end behind 2^63 - 1. */
  public Extent {
    Positions.end(offset, length);
  }

  /** The offset behind the last byte. */
  public long end() {
    return offset + length;
  }
}
