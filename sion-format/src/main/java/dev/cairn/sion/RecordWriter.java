package dev.cairn.sion;

import dev.cairn.sion.format.RecordHeader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One task writes records of a key and a value, one behind the other. All 2^64 keys are legal, a
 * key may come again, and a value may be empty or larger than memory. A record may cross chunk
 * borders.
 *
 * <p>One thread at a time. It owns nothing: the caller that opened the physical file closes it.
 */
public final class RecordWriter {
  private static final int HEADER_SIZE = RecordHeader.SIZE;

  private final ChunkWriter chunks;
  private final ByteBuffer header;
  private long missing;

  private RecordWriter(ChunkWriter chunks) {
    this.chunks = chunks;
    this.header = ByteBuffer.allocate(HEADER_SIZE).order(chunks.metaDataOrder());
  }

  /** Writes records into the stream of {@code chunks}, which must not be used otherwise. */
  public static RecordWriter of(ChunkWriter chunks) {
    return new RecordWriter(chunks);
  }

  public int task() {
    return chunks.task();
  }

  /** Writes a whole record. */
  public void put(long key, ByteBuffer value) throws IOException {
    begin(key, value.remaining());
    append(value);
  }

  /**
   * Writes a whole record into one chunk, as {@link ChunkWriter#write} does. A record is split only
   * where an append passes over blocks, since the C library expects one there.
   *
   * @throws IllegalArgumentException if no chunk of this task is that large
   */
  public void putWhole(long key, ByteBuffer value) throws IOException {
    requireWholeRecord();
    long size = (long) HEADER_SIZE + value.remaining();
    boolean mayBeSplit = chunks.roomBeforeGap().orElse(0) > 0;
    if (!mayBeSplit || size > chunks.chunkSize()) {
      chunks.ensureFreeSpace(size);
    }
    put(key, value);
  }

  /** Begins a record whose {@code length} bytes of value follow through {@link #append}. */
  public void begin(long key, long length) throws IOException {
    requireWholeRecord();
    if (length < 0) {
      throw new IllegalArgumentException(
          String.format(
              "task %d: the value of key %s cannot have %d bytes.",
              task(), Long.toUnsignedString(key), length));
    }
    chunks.roomBeforeGap().ifPresent(room -> chunks.leaveFreeBeforeGap(leftFree(room, length)));
    chunks.append(header.clear().putLong(key).putLong(length).flip());
    missing = length;
  }

  /**
   * How many of the {@code room} bytes in front of a gap a record with a value of this length must
   * leave free. Neither its header nor the record itself may end at the gap.
   */
  private static long leftFree(long room, long length) {
    long filled = room;
    while (filled == HEADER_SIZE || filled == HEADER_SIZE + length) {
      filled--;
    }
    return room - filled;
  }

  /** Writes the next bytes of the value that {@link #begin} announced. */
  public void append(ByteBuffer part) throws IOException {
    if (part.remaining() > missing) {
      throw new IllegalArgumentException(
          String.format(
              "task %d: %d bytes are given, but the record has room for only %d more.",
              task(), part.remaining(), missing));
    }
    int start = part.position();
    try {
      chunks.append(part);
    } finally {
      missing -= part.position() - start;
    }
  }

  /** The bytes written so far, those of headers included. */
  public long size() {
    return chunks.size();
  }

  /**
   * What this task has written, to be handed to {@link Multifile#close}.
   *
   * @throws IllegalStateException if the last record is not whole
   */
  public TaskUsage usage() {
    requireWholeRecord();
    return chunks.usage();
  }

  private void requireWholeRecord() {
    if (missing > 0) {
      throw new IllegalStateException(
          String.format(
              "task %d: the last record still lacks %d bytes: append them first.",
              task(), missing));
    }
  }
}
