package dev.cairn.sion.stripe;

/** Finds the end of a logical file where the bytes of each sub-file ascend in the logical file. */
final class LogicalEnd {
  private LogicalEnd() {}

  /** The byte of the logical file that is farthest behind ends it. */
  static long of(SubFileLayout layout, long... subFileLengths) {
    if (subFileLengths.length != layout.subFileCount()) {
      throw new IllegalArgumentException(
          subFileLengths.length
              + " lengths were given for "
              + layout.subFileCount()
              + " sub-files.");
    }
    long end = 0;
    for (int subFile = 0; subFile < subFileLengths.length; subFile++) {
      long length = Positions.requirePosition(subFileLengths[subFile]);
      if (length > 0) {
        end = Math.max(end, Math.addExact(layout.offsetOf(subFile, length - 1), 1));
      }
    }
    return end;
  }
}
