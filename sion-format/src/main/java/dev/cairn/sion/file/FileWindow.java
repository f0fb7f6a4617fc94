package dev.cairn.sion.file;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of a store, small parts of them through one buffer, which grows for a large part and
 * never beyond one. The file that was read last stays open until another one is read, since there
 * can be thousands of them. One thread at a time.
 *
 * @param <S> what is read: a file, or a stream in a file
 */
public abstract class FileWindow<S> implements Closeable {
  private final BlockStore store;
  private final int usualSize;
  private @Nullable BlockFile file;
  private boolean isClosed;
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private @Nullable S buffered;
  private long start;

  /** A window of {@code usualSize} bytes unless a part is larger. */
  protected FileWindow(BlockStore store, int usualSize) {
    this.store = store;
    this.usualSize = usualSize;
  }

  /** Fills {@code target} from {@code position} on, with one {@link #opened} file. */
  public abstract void readFully(S stream, long position, ByteBuffer target) throws IOException;

  /**
   * The {@code count} bytes from {@code position} on, or those up to {@code end}, which is where
   * the stream ends, until the next call.
   */
  protected final ByteBuffer window(S stream, long end, long position, int count)
      throws IOException {
    int there = (int) Math.min(count, Math.max(0, end - position));
    boolean isBuffered =
        stream.equals(buffered) && position >= start && position + there <= start + buffer.limit();
    if (!isBuffered) {
      boolean isBackwards = stream.equals(buffered) && position < start;
      long from = isBackwards ? Math.max(0, position + there - usualSize) : position;
      fill(stream, end, Math.min(from, position), position + there);
    }
    return buffer.slice((int) (position - start), there);
  }

  /** Reads a usual window from {@code from} on, or a larger one that goes on to {@code to}. */
  private void fill(S stream, long end, long from, long to) throws IOException {
    buffered = null;
    int count = (int) Math.min(end - from, Math.max(to - from, usualSize));
    if (buffer.capacity() < count) {
      buffer = ByteBuffer.allocate(count);
    }
    readFully(stream, from, buffer.clear().limit(count));
    buffer.flip();
    start = from;
    buffered = stream;
  }

  /** The file of this name, until another one is asked for. */
  protected final BlockFile opened(Path path) throws IOException {
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

  /** Gives the open file and the memory of a large part back; the next read takes them again. */
  public final void rest() throws IOException {
    if (buffer.capacity() > usualSize) {
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
  public final void close() throws IOException {
    isClosed = true;
    release();
  }
}
