package dev.cairn.redistribution;

import java.nio.ByteBuffer;

/** Digests the bytes of one value from front to back. Not thread-safe. */
public interface ByteDigester {
  /**
   * Adds the next bytes, from position to limit; the buffer stays as it is.
   *
   * @throws IllegalStateException if bytes were added before whose number is no multiple of 8: only
   *     the last ones of a value may be so
   */
  void add(ByteBuffer bytes);

  /** The digest of the whole value. To be called once, at the end. */
  CellDigest finish();
}
