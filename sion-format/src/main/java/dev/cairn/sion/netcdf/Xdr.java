package dev.cairn.sion.netcdf;

/** Everything in a file is padded to words of 4 bytes. */
final class Xdr {
  static final int WORD = 4;

  private Xdr() {}

  /** {@code byteCount}, which is at most 2^63 - 4, rounded up to whole words. */
  static long padded(long byteCount) {
    return byteCount + padding(byteCount);
  }

  /** The bytes behind {@code byteCount} bytes that complete a word. */
  static int padding(long byteCount) {
    return (int) (-byteCount & (WORD - 1));
  }
}
