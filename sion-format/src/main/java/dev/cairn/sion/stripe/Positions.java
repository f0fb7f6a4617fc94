package dev.cairn.sion.stripe;

/** The checks of positions that callers of a layout give. */
final class Positions {
  private Positions() {}

  /** Returns the end of {@code length} bytes from {@code offset} on. */
  static long end(long offset, long length) {
    if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException(
          length + " bytes at " + offset + " are not within the 2^63 - 1 bytes of a file.");
    }
    return offset + length;
  }

  static long requirePosition(long position) {
    if (position < 0) {
      throw new IllegalArgumentException(
          "Byte " + position + " is before the beginning of a file.");
    }
    return position;
  }

  static int requireSubFile(int subFile, int count) {
    if (subFile < 0 || subFile >= count) {
      throw new IllegalArgumentException(
          "There is no sub-file " + subFile + " among " + count + ", which count from 0.");
    }
    return subFile;
  }
}
