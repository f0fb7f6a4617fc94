package dev.cairn.sion.field;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes a field list to a file through a buffer, which grows once if the list is long. */
public final class FileWriter extends FieldWriter<IOException> {
  /** Enough for a file of few tasks: to clear a longer one takes longer than to write it. */
  private static final int SHORT = 1 << 12;

  private static final int LONG = 1 << 16;

  private final Sink sink;
  private ByteBuffer buffer;

  /** The position in the file of the buffer's start. */
  private long start;

  /** Where a writer puts its bytes. */
  @FunctionalInterface
  public interface Sink {
    /** Writes all of {@code source} from {@code position} on. */
    void write(long position, ByteBuffer source) throws IOException;
  }

  /** A writer whose first field goes to {@code position}. */
  public FileWriter(Sink sink, ByteOrder order, long position) {
    this.sink = sink;
    this.buffer = ByteBuffer.allocate(SHORT).order(order);
    this.start = position;
  }

  /** Writes what is still in the buffer. */
  public void flush() throws IOException {
    int byteCount = buffer.position();
    sink.write(start, buffer.flip());
    start += byteCount;
    buffer.clear();
  }

  @Override
  public long position() {
    return start + buffer.position();
  }

  @Override
  ByteBuffer room(int count) throws IOException {
    if (buffer.remaining() < count) {
      flush();
      if (buffer.capacity() < LONG) {
        buffer = ByteBuffer.allocate(LONG).order(buffer.order());
      }
    }
    return buffer;
  }
}
