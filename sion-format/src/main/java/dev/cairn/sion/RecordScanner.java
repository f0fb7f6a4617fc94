package dev.cairn.sion;

import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.format.RecordHeader;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Walks over the record headers of one task's stream, reading ahead in one small buffer. */
final class RecordScanner {
  private static final int BUFFER_SIZE = 1 << 12;

  private final TaskView stream;
  private final ByteBuffer buffer;

  /** The logical position of the buffer's start. */
  private long bufferStart;

  private long key;
  private long valueEnd;

  RecordScanner(TaskView stream) {
    this.stream = stream;
    this.buffer =
        ByteBuffer.allocate((int) Math.min(BUFFER_SIZE, stream.size()))
            .order(stream.metaDataOrder())
            .limit(0);
  }

  /** Goes on to the next record; false at the end of the stream. */
  boolean next() throws IOException {
    long headerStart = valueEnd;
    if (headerStart == stream.size()) {
      return false;
    }
    long valueStart = headerStart + RecordHeader.SIZE;
    if (valueStart > stream.size()) {
      throw corrupt(
          headerStart,
          "record header",
          RecordHeader.SIZE + " bytes long",
          "cut after " + (stream.size() - headerStart) + " by the end of the stream");
    }
    ByteBuffer header = header(headerStart);
    key = header.getLong();
    long length = header.getLong();
    if (length < 0 || length > stream.size() - valueStart) {
      throw corrupt(
          headerStart + Long.BYTES,
          "record length",
          "0 to " + (stream.size() - valueStart) + ", the rest of the stream",
          Long.toUnsignedString(length));
    }
    valueEnd = valueStart + length;
    return true;
  }

  long key() {
    return key;
  }

  /** Where the record's value ends, and the next record begins. */
  long valueEnd() {
    return valueEnd;
  }

  private ByteBuffer header(long start) throws IOException {
    if (start + RecordHeader.SIZE > bufferStart + buffer.limit()) {
      bufferStart = start;
      stream.read(start, buffer.clear());
      buffer.flip();
    }
    return buffer.position((int) (start - bufferStart));
  }

  private SionException corrupt(long position, String field, String expected, String found) {
    return new SionException.Corrupt(
        stream.file(),
        stream.offset(position),
        field + " of task " + stream.task(),
        expected,
        found);
  }
}
