package dev.cairn.sion.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A target of positioned writes: an open file, or an object that forwards the writes to one. */
public interface PositionedOutput {
  /** The path of the file that is written. */
  Path path();

  /**
   * Writes all of {@code source}. Behind the end the file grows; what lies between reads as zero.
   * An empty {@code source} changes no byte. After a failure any part of it may have been written.
   *
   * @throws DiskException also when the file system is full or a quota is used up
   */
  void write(long position, ByteBuffer source) throws IOException;
}
