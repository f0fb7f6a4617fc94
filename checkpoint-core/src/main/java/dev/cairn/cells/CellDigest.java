package dev.cairn.cells;

/**
 * A digest of cells that does not depend on their order or on who has them: the digests of two
 * disjoint sets of cells add up to the digest of both.
 *
 * <p>Each cell has a global number {@code i}, from 0, and stored bits {@code v}: its raw bits as
 * they are in memory, extended with zeros to 64; a boolean has 0 or 1. It contributes to each of
 * two sums, everything modulo 2<sup>64</sup>:
 *
 * <pre>
 * first  = sum of mixA(v + (i + 1) * 9e3779b97f4a7c15)
 * second = sum of mixB(v + (i + 1) * d1b54a32d192ed03)
 *
 * mixA(z):  z = (z ^ (z &gt;&gt;&gt; 30)) * bf58476d1ce4e5b9      mixB(z):  z = (z ^ (z &gt;&gt;&gt; 33)) * ff51afd7ed558ccd
 *           z = (z ^ (z &gt;&gt;&gt; 27)) * 94d049bb133111eb                z = (z ^ (z &gt;&gt;&gt; 33)) * c4ceb9fe1a85ec53
 *           z ^ (z &gt;&gt;&gt; 31)                                          z ^ (z &gt;&gt;&gt; 33)
 * </pre>
 *
 * <p>All constants are hexadecimal and {@code >>>} shifts in zeros. The two constants of the
 * numbers differ by twice an odd number, so no two different cells contribute the same pair. This
 * finds accidents, not forgeries: who wants to can make two states with one digest. The type of the
 * cells does not enter; it stands in the schema.
 *
 * @param first the sum of the first hashes
 * @param second the sum of the second hashes
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
    return String.format("%016x%016x", first, second);
  }
}
