package dev.cairn.sion.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Goes from record to record through one segment. */
final class SegmentWalk {
  private final ReadAhead bytes;
  private final Path path;
  private final long end;
  private final LogIdentity log;
  private long position = LogFormat.SEGMENT_HEAD_SIZE;

  /** A walk from the first record to {@code end}, which does not lie behind the file's end. */
  SegmentWalk(ReadAhead bytes, Path path, long end, LogIdentity log) {
    this.bytes = bytes;
    this.path = path;
    this.end = end;
    this.log = log;
  }

  /** Where the next record begins. */
  long position() {
    return position;
  }

  Path path() {
    return path;
  }

  boolean hasMore() {
    return position < end;
  }

  /** The record that begins here, whose number should be {@code sequence}. */
  LogRecord record(long sequence) throws IOException, Misfit {
    RecordHead head = RecordHead.decoded(headBytes());
    requireMember(head, sequence);
    LogRecord record = new LogRecord(path, position, head);
    if (record.end() > end) {
      throw new Misfit(
          "record %d should have %d bytes, but the segment ends at byte %d",
          sequence, head.recordSize(), end);
    }
    return record;
  }

  void stepOver(LogRecord record) {
    position = record.end();
  }

  private ByteBuffer headBytes() throws IOException, Misfit {
    if (end - position < LogFormat.LEAST_HEAD_SIZE) {
      throw new Misfit("a record should begin, but the segment ends at byte %d", end);
    }
    int size = bytes.bytes(path, end, position, Integer.BYTES).getInt();
    if (size < LogFormat.LEAST_HEAD_SIZE
        || size > LogFormat.MOST_HEAD_SIZE
        || size % LogFormat.ALIGNMENT != 0) {
      throw new Misfit(
          "the size of a record's head should be a multiple of %d from %d to %d, but is %s",
          LogFormat.ALIGNMENT,
          LogFormat.LEAST_HEAD_SIZE,
          LogFormat.MOST_HEAD_SIZE,
          Integer.toUnsignedString(size));
    }
    if (size > end - position) {
      throw new Misfit(
          "the head of a record should have %d bytes, but the segment ends at byte %d", size, end);
    }
    return bytes.bytes(path, end, position, size);
  }

  private void requireMember(RecordHead head, long sequence) throws Misfit {
    if (head.id() != log.id() || head.generation() != log.generation()) {
      throw new Misfit(
          "a record of log %016x, generation %d should begin, but one of %016x, %d does",
          log.id(), log.generation(), head.id(), head.generation());
    }
    if (head.sequence() != sequence) {
      throw new Misfit("record %d should begin, but record %d does", sequence, head.sequence());
    }
  }
}
