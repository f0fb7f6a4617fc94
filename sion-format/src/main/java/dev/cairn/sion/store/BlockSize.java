package dev.cairn.sion.store;

import java.util.Objects;

/**
 * A unit of I/O in bytes, and the source of the number for the log.
 *
 * @param bytes the size, at least 1
 * @param source the source of the number, as the end of a sentence: "the file system", "the table
 *     for nfs4"
 */
public record BlockSize(int bytes, String source) {
  public BlockSize {
    if (bytes < 1) {
      throw new IllegalArgumentException("a block size is at least 1 byte, not " + bytes);
    }
    Objects.requireNonNull(source, "source");
  }
}
