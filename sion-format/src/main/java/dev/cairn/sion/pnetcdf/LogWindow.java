package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads log files, small parts of them through a buffer. The file that was read last stays open
 * until another one is read, since a program can leave thousands of them. One thread at a time.
 */
final class LogWindow implements Closeable {
  static final int USUAL_SIZE = 1 << 14;

  private final BlockStore store;
  private @Nullable BlockFile file;
  private boolean isClosed;
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private @Nullable LogStream buffered;
  private long start;

  LogWindow(BlockStore store) {
    this.store = store;
  }

  /** The size of a file; empty if there is none. */
  OptionalLong size(Path path) throws IOException {
    try {
      return OptionalLong.of(open(path).size());
    } catch (NoSuchFileException missing) {
      return OptionalLong.empty();
    }
  }

  /**
   * The {@code count} bytes from {@code position} on, or those up to the end of the stream, until
   * the next call.
   */
  ByteBuffer bytes(LogStream stream, long position, int count) throws IOException {
    int there = (int) Math.min(count, Math.max(0, stream.size() - position));
    boolean isBuffered =
        stream.equals(buffered) && position >= start && position + there <= start + buffer.limit();
    if (!isBuffered) {
      boolean isBackwards = stream.equals(buffered) && position < start;
      long from = isBackwards ? Math.max(0, position + there - USUAL_SIZE) : position;
      fill(stream, Math.min(from, position), position + there);
    }
    return buffer.slice((int) (position - start), there);
  }

  /** Reads a usual window from {@code from} on, or a larger one that goes on to {@code end}. */
  private void fill(LogStream stream, long from, long end) throws IOException {
    buffered = null;
    int count = (int) Math.min(stream.size() - from, Math.max(end - from, USUAL_SIZE));
    if (buffer.capacity() < count) {
      buffer = ByteBuffer.allocate(count);
    }
    readFully(stream, from, buffer.clear().limit(count));
    buffer.flip();
    start = from;
    buffered = stream;
  }

  /** Fills {@code target}; the stream is long enough. */
  void readFully(LogStream stream, long position, ByteBuffer target) throws IOException {
    BlockFile open = open(stream.path());
    int end = target.limit();
    for (long next = position; target.position() < end; ) {
      long run = stream.sharing().runLength(next);
      int count = (int) Math.min(run, end - target.position());
      target.limit(target.position() + count);
      open.readFully(stream.sharing().fileOffset(next), target);
      target.limit(end);
      next += count;
    }
  }

  private BlockFile open(Path path) throws IOException {
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
