package dev.cairn.sion.field;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads a field list from a file. It reads ahead in one buffer, which is small unless a field is
 * large, and never behind the end of the file.
 */
public abstract class FileReader extends FieldReader<IOException> {
  private static final int BUFFER_SIZE = 1 << 16;

  private final Source source;
  private final long fileSize;
  private ByteBuffer buffer;

  /** The position in the file of the buffer's end. */
  private long readEnd;

  /** Where a reader takes its bytes from. */
  @FunctionalInterface
  public interface Source {
    /** Fills {@code target} with the bytes from {@code position} on, or throws. */
    void readFully(long position, ByteBuffer target) throws IOException;
  }

  /** A reader whose first field begins at {@code position}. */
  protected FileReader(Source source, long fileSize, ByteOrder order, long position) {
    this.source = source;
    this.fileSize = fileSize;
    long left = Math.max(0, fileSize - position);
    this.buffer = ByteBuffer.allocate((int) Math.min(BUFFER_SIZE, left)).order(order).limit(0);
    this.readEnd = position;
  }

  /** What refuses a file in which {@code byteCount} bytes of {@code part} are not all there. */
  protected abstract IOException truncated(
      String part, long position, long byteCount, long fileSize);

  @Override
  public final long position() {
    return readEnd - buffer.remaining();
  }

  @Override
  public final void require(String part, long byteCount) throws IOException {
    if (byteCount > fileSize - position()) {
      throw truncated(part, position(), byteCount, fileSize);
    }
  }

  @Override
  protected final ByteBuffer next(String name, int count) throws IOException {
    if (buffer.remaining() < count) {
      fill(name, count);
    }
    return buffer;
  }

  private void fill(String name, int count) throws IOException {
    require(name, count);
    if (buffer.capacity() < count) {
      buffer = ByteBuffer.allocate(count).order(buffer.order()).put(buffer);
    } else {
      buffer.compact();
    }
    buffer.limit((int) Math.min(buffer.capacity(), buffer.position() + fileSize - readEnd));
    int wanted = buffer.remaining();
    source.readFully(readEnd, buffer);
    readEnd += wanted;
    buffer.flip();
  }
}
