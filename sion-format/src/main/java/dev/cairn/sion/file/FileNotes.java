package dev.cairn.sion.file;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What was read of one physical file: its size, and the bytes of some ranges. */
final class FileNotes {
  private final long fileSize;
  private final List<NotedRange> ranges = new ArrayList<>();

  FileNotes(long fileSize) {
    this.fileSize = fileSize;
  }

  long fileSize() {
    return fileSize;
  }

  /** Notes the bytes that were read at {@code position}; a range that goes on grows. */
  void add(long position, ByteBuffer bytes) {
    NotedRange last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
    if (last == null || last.end() != position) {
      last = new NotedRange(position);
      ranges.add(last);
    }
    last.append(bytes);
  }

  /** Fills {@code target} if one range holds all of it; otherwise leaves it alone. */
  boolean answer(long position, ByteBuffer target) {
    for (NotedRange range : ranges) {
      if (position >= range.start && position + target.remaining() <= range.end()) {
        target.put(range.bytes, (int) (position - range.start), target.remaining());
        return true;
      }
    }
    return false;
  }

  long packedSize() {
    long size = Long.BYTES + Integer.BYTES;
    for (NotedRange range : ranges) {
      size += Long.BYTES + Integer.BYTES + range.length;
    }
    return size;
  }

  void pack(ByteBuffer out) {
    out.putLong(fileSize).putInt(ranges.size());
    for (NotedRange range : ranges) {
      out.putLong(range.start).putInt(range.length).put(range.bytes, 0, range.length);
    }
  }

  static FileNotes unpack(ByteBuffer in) {
    FileNotes notes = new FileNotes(in.getLong());
    int rangeCount = in.getInt();
    for (int index = 0; index < rangeCount; index++) {
      long start = in.getLong();
      int length = in.getInt();
      notes.add(start, in.slice(in.position(), length));
      in.position(in.position() + length);
    }
    return notes;
  }

  private static final class NotedRange {
    final long start;
    byte[] bytes = {};
    int length;

    NotedRange(long start) {
      this.start = start;
    }

    long end() {
      return start + length;
    }

    void append(ByteBuffer more) {
      int newLength = Math.addExact(length, more.remaining());
      if (newLength > bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.max(newLength, Math.min(2L * length, 1 << 30)));
      }
      more.get(bytes, length, more.remaining());
      length = newLength;
    }
  }
}
