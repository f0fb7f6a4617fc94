package dev.cairn.sion.format;

import dev.cairn.sion.failure.SionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Reads a field list from a file, front to back, and refuses values that the list does not allow.
 * It reads ahead in one small buffer, and never behind the end of the file.
 */
public final class FieldReader implements FieldIo {
  private static final int BUFFER_SIZE = 1 << 16;

  private final Path file;
  private final ByteSource source;
  private final long fileSize;
  private final ByteBuffer buffer;

  /** The position in the file of the buffer's end. */
  private long readEnd;

  /**
   * @param file the name in messages
   * @param position where the first field begins
   */
  public FieldReader(Path file, ByteSource source, long fileSize, ByteOrder order, long position) {
    this.file = file;
    this.source = source;
    this.fileSize = fileSize;
    long left = Math.max(0, fileSize - position);
    this.buffer = ByteBuffer.allocate((int) Math.min(BUFFER_SIZE, left)).order(order).limit(0);
    this.readEnd = position;
  }

  /** Where the next field begins. */
  public long position() {
    return readEnd - buffer.remaining();
  }

  /**
   * Refuses the file if the next {@code byteCount} bytes, called {@code part}, are not all there.
   */
  public void require(String part, long byteCount) throws SionException {
    if (byteCount > fileSize - position()) {
      throw new SionException.Truncated(file, part, position(), byteCount, fileSize);
    }
  }

  @Override
  public void magic(String name, byte[] bytes) throws IOException {
    byte[] found = new byte[bytes.length];
    next(name, bytes.length).get(found);
    if (!Arrays.equals(found, bytes)) {
      throw new SionException.NotAMultifile(file, HexFormat.ofDelimiter(" ").formatHex(found));
    }
  }

  @Override
  public FormatVersion version(String name, FormatVersion value) throws IOException {
    long offset = position();
    int found = next(name, Integer.BYTES).getInt();
    return FormatVersion.of(found)
        .orElseThrow(
            () ->
                new SionException.UnsupportedVersion(file, offset, found, FormatVersion.READABLE));
  }

  @Override
  public int i32(String name, int value, Range range) throws IOException {
    long offset = position();
    int found = next(name, Integer.BYTES).getInt();
    check(name, offset, range, found);
    return found;
  }

  @Override
  public long i64(String name, long value, Range range) throws IOException {
    long offset = position();
    long found = next(name, Long.BYTES).getLong();
    check(name, offset, range, found);
    return found;
  }

  @Override
  public String text(String name, int width, String value) throws IOException {
    byte[] bytes = new byte[width];
    next(name, width).get(bytes);
    int length = 0;
    while (length < width && bytes[length] != 0) {
      length++;
    }
    return decode(ByteBuffer.wrap(bytes, 0, length));
  }

  /** Names are bytes in C. A name that is not valid UTF-8 keeps its bytes as Latin-1. */
  private static String decode(ByteBuffer bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
    } catch (CharacterCodingException notUtf8) {
      return StandardCharsets.ISO_8859_1.decode(bytes).toString();
    }
  }

  @Override
  public void i64s(LongColumn column) throws IOException {
    for (int index = 0; index < column.count(); index++) {
      if (buffer.remaining() < Long.BYTES) {
        fill(column.name() + " " + index, Long.BYTES);
      }
      long found = buffer.getLong();
      if (found < column.least(index) || found > column.most(index)) {
        Range range = new Range(column.least(index), column.most(index));
        check(column.name() + " " + index, position() - Long.BYTES, range, found);
      }
      column.set(index, found);
    }
  }

  @Override
  public void i32Pairs(PairColumn column) throws IOException {
    for (int index = 0; index < column.count(); index++) {
      int first = element(column.firstName(), index, column.firstRange());
      int second = element(column.secondName(), index, column.secondRange());
      column.set(index, first, second);
    }
  }

  /** Builds the name of an element; called only for messages. */
  private int element(String name, int index, Range range) throws IOException {
    int found = next(name, Integer.BYTES).getInt();
    if (!range.holds(found)) {
      check(name + " " + index, position() - Integer.BYTES, range, found);
    }
    return found;
  }

  private void check(String name, long offset, Range range, long found) throws SionException {
    if (!range.holds(found)) {
      throw new SionException.Corrupt(
          file, offset, name, range.expectation(), Long.toString(found));
    }
  }

  private ByteBuffer next(String name, int byteCount) throws IOException {
    if (buffer.remaining() < byteCount) {
      fill(name, byteCount);
    }
    return buffer;
  }

  private void fill(String name, int byteCount) throws IOException {
    require(name, byteCount);
    buffer.compact();
    buffer.limit((int) Math.min(buffer.capacity(), buffer.position() + fileSize - readEnd));
    int wanted = buffer.remaining();
    source.read(readEnd, buffer);
    readEnd += wanted;
    buffer.flip();
  }
}
