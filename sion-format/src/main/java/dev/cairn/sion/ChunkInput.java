package dev.cairn.sion;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.util.Objects;

/**
 * A task's stream as Java knows streams: small reads come out of a buffer, large ones pass straight
 * through, and chunk borders do not show. One thread at a time; many of them can read one task.
 */
public final class ChunkInput extends InputStream implements ReadableByteChannel {
  private static final int BUFFER_SIZE = 1 << 16;

  private final TaskView view;
  private final ByteBuffer buffer;

  /** The logical position of the buffer's end. */
  private long readEnd;

  private boolean open = true;

  ChunkInput(TaskView view) {
    this.view = view;
    this.buffer = ByteBuffer.allocate((int) Math.min(BUFFER_SIZE, view.size())).limit(0);
  }

  /** The logical position of the next byte. */
  public long position() {
    return readEnd - buffer.remaining();
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    requireOpen();
    if (!target.hasRemaining()) {
      return 0;
    }
    if (!buffer.hasRemaining()) {
      if (target.remaining() >= buffer.capacity()) {
        return readStraight(target);
      }
      fill();
    }
    if (!buffer.hasRemaining()) {
      return -1;
    }
    int count = Math.min(buffer.remaining(), target.remaining());
    target.put(buffer.slice(buffer.position(), count));
    buffer.position(buffer.position() + count);
    return count;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    return read(ByteBuffer.wrap(target, offset, length));
  }

  @Override
  public int read() throws IOException {
    requireOpen();
    if (!buffer.hasRemaining()) {
      fill();
    }
    return buffer.hasRemaining() ? buffer.get() & 0xff : -1;
  }

  @Override
  public long skip(long byteCount) throws IOException {
    requireOpen();
    long from = position();
    long skipped = Math.max(0, Math.min(byteCount, view.size() - from));
    if (skipped <= buffer.remaining()) {
      buffer.position(buffer.position() + (int) skipped);
    } else {
      buffer.limit(0);
      readEnd = from + skipped;
    }
    return skipped;
  }

  @Override
  public int available() {
    return (int) Math.min(Integer.MAX_VALUE, view.size() - position());
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    open = false;
  }

  private int readStraight(ByteBuffer target) throws IOException {
    int count = view.read(readEnd, target);
    readEnd += Math.max(0, count);
    return count;
  }

  private void fill() throws IOException {
    buffer.clear();
    try {
      readEnd += Math.max(0, view.read(readEnd, buffer));
    } finally {
      buffer.flip();
    }
  }

  private void requireOpen() throws ClosedChannelException {
    if (!open) {
      throw new ClosedChannelException();
    }
  }
}
