package dev.cairn.sion.log;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** Why something that belongs to no record follows the end, so that nothing may follow. */
  private @Nullable IOException uncut;

  private SegmentWriter(BlockFile file, int number) {
    this.file = file;
    this.number = number;
  }

  /** Begins the file, which must not exist, with {@code head}. */
  static SegmentWriter create(BlockStore store, Path directory, SegmentHead head)
      throws IOException {
    int number = head.segment();
    SegmentWriter begun =
        new SegmentWriter(store.create(SegmentNames.path(directory, number)), number);
    try {
      begun.append(List.of(head.encoded()));
      return begun;
    } catch (IOException | RuntimeException | Error failure) {
      begun.discard(store, failure);
      throw failure;
    }
  }

  int number() {
    return number;
  }

  /** Where its last whole record ends. */
  long end() {
    return end;
  }

  boolean isEmpty() {
    return end <= SegmentHead.SIZE;
  }

  /** Appends a record. If that fails, the segment ends where it ended before. */
  void append(RecordHead head, PayloadBytes payload) throws IOException {
    append(partsOf(head, payload));
  }

  private void append(List<ByteBuffer> parts) throws IOException {
    if (uncut != null) {
      throw uncut;
    }
    long position = end;
    try {
      for (ByteBuffer part : parts) {
        int size = part.remaining();
        file.write(position, part);
        position += size;
      }
    } catch (IOException failure) {
      cut(failure);
      throw failure;
    }
    end = position;
  }

  private void cut(IOException failure) {
    try {
      file.resize(end);
    } catch (IOException second) {
      failure.addSuppressed(second);
      uncut = failure;
    }
  }

  private static List<ByteBuffer> partsOf(RecordHead head, PayloadBytes payload) {
    boolean isGathered = head.recordSize() <= MOST_GATHERED;
    ByteBuffer first =
        ByteBuffer.allocate(isGathered ? (int) head.recordSize() : head.size())
            .order(ByteOrder.LITTLE_ENDIAN);
    head.encodeInto(first);
    if (isGathered) {
      payload.buffers().forEach(first::put);
      return List.of(first.clear());
    }
    List<ByteBuffer> parts = new ArrayList<>();
    parts.add(first.flip());
    parts.addAll(payload.buffers());
    parts.add(ZEROS.slice(0, (int) (LogFormat.aligned(payload.size()) - payload.size())));
    return parts;
  }

  /** Closes and deletes the file of a segment that could not be begun. */
  private void discard(BlockStore store, Throwable failure) {
    CloseAll.after(failure, this, () -> store.delete(file.path()));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
