package dev.cairn.sion.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Where bytes go at positions: an open file, or whoever takes them for one. */
public interface PositionedOutput {
  /** The file that the bytes are for. */
  Path path();

  /**
   * Writes all of {@code source}. Behind the end the file grows; what lies between reads as zero.
   * An empty {@code source} changes no byte. After a failure any part of it may have been written.
   *
   * @throws OutOfSpaceException when the file system is full or a quota is used up
   */
  void write(long position, ByteBuffer source) throws IOException;
}
