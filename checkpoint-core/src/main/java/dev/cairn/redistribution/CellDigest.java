package dev.cairn.redistribution;

import java.util.HexFormat;

/**
 * A digest of cells that does not depend on their order or on which rank has them: the digests of
 * two disjoint sets of cells add up to the digest of both. A {@link DigestFormula} says how it is
 * computed: two sums modulo 2<sup>64</sup>, to which each cell contributes a function of its global
 * number and its stored bits. These are its raw bits as they are in memory, extended with zeros to
 * 64; a boolean has 0 or 1. The type of the cells does not enter; it stands in the schema.
 *
 * <p>It finds accidents, not forgeries: two states with one digest can be made on purpose.
 *
 * @param first the first sum
 * @param second the second sum
 */
public record CellDigest(long first, long second) {
  /** The digest of no cells. */
  public static final CellDigest NONE = new CellDigest(0, 0);

  /** The digest of these cells and the others together. */
  public CellDigest plus(CellDigest other) {
    return new CellDigest(first + other.first, second + other.second);
  }

  /** Both sums, 16 hexadecimal digits each. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(first) + hex.toHexDigits(second);
  }
}
