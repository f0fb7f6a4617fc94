package dev.cairn.sion.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads heads through a small buffer. It grows for a large head, and never beyond one. */
final class ReadAhead {
  private static final int USUAL_SIZE = 1 << 12;

  private final OpenSegment segment;
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private @Nullable Path path;
  private long start;

  ReadAhead(OpenSegment segment) {
    this.segment = segment;
  }

  /**
   * The {@code count} bytes from {@code position} on, little-endian, until the next call. {@code
   * end}, which the caller compared with them, is where the file ends.
   */
  ByteBuffer bytes(Path path, long end, long position, int count) throws IOException {
    boolean isThere =
        path.equals(this.path) && position >= start && position + count <= start + buffer.limit();
    if (!isThere) {
      fill(path, position, (int) Math.min(end - position, Math.max(count, USUAL_SIZE)));
    }
    return buffer.slice((int) (position - start), count).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Gives the memory of a large head back. */
  void shrink() {
    if (buffer.capacity() > USUAL_SIZE) {
      path = null;
      buffer = ByteBuffer.allocate(0);
    }
  }

  private void fill(Path path, long position, int count) throws IOException {
    this.path = null;
    if (buffer.capacity() < count) {
      buffer = ByteBuffer.allocate(count);
    }
    segment.at(path).readFully(position, buffer.clear().limit(count));
    buffer.flip();
    start = position;
    this.path = path;
  }
}
