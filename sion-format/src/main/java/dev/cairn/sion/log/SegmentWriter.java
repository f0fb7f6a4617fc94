package dev.cairn.sion.log;

import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes one segment front to back. Nothing that was appended is ever written again; what a failed
 * append left is cut off.
 */
final class SegmentWriter implements Closeable {
  /** Records up to this size are one write. */
  private static final int MOST_GATHERED = 1 << 16;

  private static final ByteBuffer ZEROS = ByteBuffer.allocate(LogFormat.ALIGNMENT);

  private final BlockFile file;
  private final int number;
  private long end;
  private boolean isAbandoned;

  private SegmentWriter(BlockFile file, int number) {
    this.file = file;
    this.number = number;
  }

  /** Creates the file, which must not exist. */
  static SegmentWriter create(BlockStore store, Path directory, int number) throws IOException {
    return new SegmentWriter(store.create(SegmentNames.path(directory, number)), number);
  }

  Path path() {
    return file.path();
  }

  int number() {
    return number;
  }

  /** Where its last whole record ends. */
  long end() {
    return end;
  }

  boolean isEmpty() {
    return end <= LogFormat.SEGMENT_HEAD_SIZE;
  }

  /** Whether something that belongs to no record follows its end, so that nothing may follow. */
  boolean isAbandoned() {
    return isAbandoned;
  }

  void begin(SegmentHead head) throws IOException {
    append(List.of(head.encoded()));
  }

  /** Appends a record. If that fails, the segment ends where it ended before. */
  RecordHead append(RecordHead head, PayloadBytes payload) throws IOException {
    List<ByteBuffer> parts = new ArrayList<>();
    RecordHead encoded = encode(head, payload, parts);
    append(parts);
    return encoded;
  }

  /** Appends a record and makes the segment durable; it fails as {@link #append} does. */
  RecordHead appendForced(RecordHead head, PayloadBytes payload) throws IOException {
    long endBefore = end;
    RecordHead encoded = append(head, payload);
    isAbandoned = true;
    try {
      force();
    } catch (IOException failure) {
      // The system may have dropped what it could not write, so even a cut file is not trusted.
      end = endBefore;
      cut(failure);
      throw failure;
    }
    isAbandoned = false;
    return encoded;
  }

  private void append(List<ByteBuffer> parts) throws IOException {
    isAbandoned = true;
    long position = end;
    try {
      for (ByteBuffer part : parts) {
        int size = part.remaining();
        file.write(position, part);
        position += size;
      }
    } catch (IOException failure) {
      isAbandoned = !cut(failure);
      throw failure;
    }
    end = position;
    isAbandoned = false;
  }

  /** Whether nothing is left behind the end. */
  private boolean cut(IOException failure) {
    try {
      file.resize(end);
      return true;
    } catch (IOException second) {
      failure.addSuppressed(second);
      return false;
    }
  }

  private static RecordHead encode(RecordHead head, PayloadBytes payload, List<ByteBuffer> parts) {
    boolean isGathered = head.recordSize() <= MOST_GATHERED;
    ByteBuffer first =
        ByteBuffer.allocate(isGathered ? (int) head.recordSize() : head.size())
            .order(ByteOrder.LITTLE_ENDIAN);
    RecordHead encoded = head.encodedInto(first);
    if (isGathered) {
      payload.buffers().forEach(first::put);
      parts.add(first.clear());
    } else {
      parts.add(first.flip());
      parts.addAll(payload.buffers());
      int padding = (int) (LogFormat.aligned(payload.size()) - payload.size());
      if (padding > 0) {
        parts.add(ZEROS.slice(0, padding));
      }
    }
    return encoded;
  }

  void force() throws IOException {
    file.force();
  }

  /** Closes and deletes the file of a segment that could not be begun. */
  void discard(BlockStore store, Throwable failure) {
    try {
      close();
      store.delete(path());
    } catch (IOException | RuntimeException second) {
      failure.addSuppressed(second);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
