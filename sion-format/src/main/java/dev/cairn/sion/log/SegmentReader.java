package dev.cairn.sion.log;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads segments, heads through a small buffer that grows for a large head and never beyond one.
 * The segment that was read last stays open until another one is read.
 */
final class SegmentReader implements Closeable {
  private static final int USUAL_SIZE = 1 << 12;

  private final BlockStore store;
  private @Nullable BlockFile file;
  private boolean isClosed;
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private @Nullable Path buffered;
  private long start;

  SegmentReader(BlockStore store) {
    this.store = store;
  }

  long size(Path path) throws IOException {
    return opened(path).size();
  }

  void readFully(Path path, long position, ByteBuffer target) throws IOException {
    opened(path).readFully(position, target);
  }

  /**
   * The {@code count} bytes from {@code position} on, little-endian, until the next call. {@code
   * end}, which the caller compared with them, is where the file ends.
   */
  ByteBuffer head(Path path, long end, long position, int count) throws IOException {
    boolean isThere =
        path.equals(buffered) && position >= start && position + count <= start + buffer.limit();
    if (!isThere) {
      fill(path, position, (int) Math.min(end - position, Math.max(count, USUAL_SIZE)));
    }
    return buffer.slice((int) (position - start), count).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void fill(Path path, long position, int count) throws IOException {
    buffered = null;
    if (buffer.capacity() < count) {
      buffer = ByteBuffer.allocate(count);
    }
    readFully(path, position, buffer.clear().limit(count));
    buffer.flip();
    start = position;
    buffered = path;
  }

  private BlockFile opened(Path path) throws IOException {
    if (isClosed) {
      throw new ClosedChannelException();
    }
    BlockFile last = file;
    if (last != null && last.path().equals(path)) {
      return last;
    }
    release();
    BlockFile opened = store.open(path, Access.READ);
    file = opened;
    return opened;
  }

  /** Gives the open file and the memory of a large head back; the next read takes them again. */
  void rest() throws IOException {
    if (buffer.capacity() > USUAL_SIZE) {
      buffered = null;
      buffer = ByteBuffer.allocate(0);
    }
    release();
  }

  private void release() throws IOException {
    BlockFile last = file;
    file = null;
    if (last != null) {
      last.close();
    }
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    release();
  }

  void closeAfter(Throwable failure) {
    try {
      close();
    } catch (IOException | RuntimeException second) {
      failure.addSuppressed(second);
    }
  }
}
