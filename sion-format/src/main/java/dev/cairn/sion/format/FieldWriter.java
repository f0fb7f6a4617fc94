package dev.cairn.sion.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Writes a field list to a file, front to back, through one small buffer. A value that the list
 * does not allow is a bug: illegal user input was refused earlier.
 */
public final class FieldWriter implements FieldIo {
  private static final int BUFFER_SIZE = 1 << 16;

  private final ByteSink sink;
  private final ByteBuffer buffer;

  /** The position in the file of the buffer's start. */
  private long position;

  /** A writer whose first field goes to {@code position}. */
  public FieldWriter(ByteSink sink, ByteOrder order, long position) {
    this.sink = sink;
    this.buffer = ByteBuffer.allocate(BUFFER_SIZE).order(order);
    this.position = position;
  }

  /** Writes what is still in the buffer. */
  public void flush() throws IOException {
    int byteCount = buffer.position();
    sink.write(position, buffer.flip());
    position += byteCount;
    buffer.clear();
  }

  @Override
  public void magic(String name, byte[] bytes) throws IOException {
    room(bytes.length).put(bytes);
  }

  @Override
  public FormatVersion version(String name, FormatVersion value) throws IOException {
    room(Integer.BYTES).putInt(value.number());
    return value;
  }

  @Override
  public int i32(String name, int value, Range range) throws IOException {
    check(name, range, value);
    room(Integer.BYTES).putInt(value);
    return value;
  }

  @Override
  public long i64(String name, long value, Range range) throws IOException {
    check(name, range, value);
    room(Long.BYTES).putLong(value);
    return value;
  }

  @Override
  public String text(String name, int width, String value) throws IOException {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    check(name, new Range(0, width), bytes.length);
    room(width).put(bytes).put(new byte[width - bytes.length]);
    return value;
  }

  @Override
  public void i64s(LongColumn column) throws IOException {
    for (int index = 0; index < column.count(); index++) {
      long value = column.get(index);
      if (value < column.least(index) || value > column.most(index)) {
        check(column.name(), new Range(column.least(index), column.most(index)), value);
      }
      room(Long.BYTES).putLong(value);
    }
  }

  @Override
  public void i32Pairs(PairColumn column) throws IOException {
    for (int index = 0; index < column.count(); index++) {
      i32(column.firstName(), column.first(index), column.firstRange());
      i32(column.secondName(), column.second(index), column.secondRange());
    }
  }

  private static void check(String name, Range range, long value) {
    if (!range.holds(value)) {
      throw new AssertionError(
          String.format(
              "%s should be %s, but is %d: please report this fault of Cairn.",
              name, range.expectation(), value));
    }
  }

  private ByteBuffer room(int byteCount) throws IOException {
    if (buffer.remaining() < byteCount) {
      flush();
    }
    return buffer;
  }
}
