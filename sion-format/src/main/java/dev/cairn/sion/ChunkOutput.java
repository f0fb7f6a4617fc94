package dev.cairn.sion;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;

/**
 * A task's stream as Java knows streams: small writes are gathered, large ones pass straight
 * through, and chunk borders do not show. One thread at a time. The caller that opened it closes
 * it.
 */
public final class ChunkOutput extends OutputStream implements WritableByteChannel {
  private final ChunkWriter writer;
  private final ByteBuffer buffer;
  private boolean open = true;

  ChunkOutput(ChunkWriter writer, ByteBuffer buffer) {
    this.writer = writer;
    this.buffer = buffer;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    requireOpen();
    int byteCount = source.remaining();
    if (byteCount > buffer.remaining()) {
      flush();
    }
    if (byteCount >= buffer.capacity()) {
      writer.fill(source);
    } else {
      buffer.put(source);
    }
    return byteCount;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    write(ByteBuffer.wrap(bytes, offset, length));
  }

  @Override
  public void write(int oneByte) throws IOException {
    requireOpen();
    if (!buffer.hasRemaining()) {
      flush();
    }
    buffer.put((byte) oneByte);
  }

  /** Writes the buffer to the file. After a failure the bytes stay in the buffer. */
  @Override
  public void flush() throws IOException {
    requireOpen();
    buffer.flip();
    try {
      writer.fill(buffer);
    } finally {
      buffer.compact();
    }
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  /** Writes the buffer. If that fails, the stream stays open and the task unfinished. */
  @Override
  public void close() throws IOException {
    if (open) {
      flush();
      open = false;
      writer.streamClosed();
    }
  }

  private void requireOpen() throws ClosedChannelException {
    if (!open) {
      throw new ClosedChannelException();
    }
  }
}
