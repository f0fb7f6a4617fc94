package dev.cairn.sion.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads payloads frame by frame. Bytes leave it only after their frame was verified. */
final class PayloadFrames {
  private final SegmentReader segments;
  private ByteBuffer frame = ByteBuffer.allocate(0);
  private @Nullable LogRecord record;
  private int number;

  PayloadFrames(SegmentReader segments) {
    this.segments = segments;
  }

  void read(LogRecord record, long position, ByteBuffer target) throws IOException {
    Objects.checkFromIndexSize(position, target.remaining(), record.payloadSize());
    long next = position;
    while (target.hasRemaining()) {
      load(record, (int) (next / LogFormat.FRAME_SIZE));
      int inFrame = (int) (next % LogFormat.FRAME_SIZE);
      int count = Math.min(target.remaining(), frame.limit() - inFrame);
      target.put(frame.slice(inFrame, count));
      next += count;
    }
  }

  void verify(LogRecord record) throws IOException {
    for (int number = 0; number < record.head().frames().count(); number++) {
      load(record, number);
    }
  }

  /** Gives the memory back. */
  void clear() {
    record = null;
    frame = ByteBuffer.allocate(0);
  }

  private void load(LogRecord wanted, int number) throws IOException {
    LogRecord loaded = record;
    if (loaded != null && loaded.isSameAs(wanted) && this.number == number) {
      return;
    }
    record = null;
    long start = (long) number * LogFormat.FRAME_SIZE;
    int size = (int) Math.min(LogFormat.FRAME_SIZE, wanted.payloadSize() - start);
    if (frame.capacity() < size) {
      frame = ByteBuffer.allocate(size);
    }
    long offset = wanted.payloadOffset() + start;
    segments.readFully(wanted.file(), offset, frame.clear().limit(size));
    int expected = wanted.head().frames().of(number);
    int found = LogFormat.checksum(frame.flip());
    if (found != expected) {
      throw new LogException.DamagedPayload(wanted, offset, expected, found);
    }
    record = wanted;
    this.number = number;
  }
}
