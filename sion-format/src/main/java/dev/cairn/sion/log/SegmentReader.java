package dev.cairn.sion.log;

import dev.cairn.sion.file.FileWindow;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** Reads segments, heads through a small buffer. */
final class SegmentReader extends FileWindow<Path> {
  private static final int USUAL_SIZE = 1 << 12;

  SegmentReader(BlockStore store) {
    super(store, USUAL_SIZE);
  }

  long size(Path path) throws IOException {
    return opened(path).size();
  }

  @Override
  public void readFully(Path path, long position, ByteBuffer target) throws IOException {
    opened(path).readFully(position, target);
  }

  /**
   * The {@code count} bytes from {@code position} on, little-endian, until the next call. {@code
   * end}, which the caller compared with them, is where the file ends.
   */
  ByteBuffer head(Path path, long end, long position, int count) throws IOException {
    return window(path, end, position, count).order(ByteOrder.LITTLE_ENDIAN);
  }
}
