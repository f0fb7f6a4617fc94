package dev.cairn.sion;

import dev.cairn.sion.store.PositionedOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.IntToLongFunction;

/**
 * One task writes its own stream, front to back, chunk after chunk. It needs nothing but its slot
 * and the open physical file, which it shares with its neighbours and does not close.
 *
 * <p>One thread at a time. If a call throws, the position of its buffer tells how much counts as
 * written, so the rest can be tried again.
 */
public final class ChunkWriter {
  private static final int STREAM_BUFFER_SIZE = 1 << 16;
  private static final long[] NO_BLOCKS = {};
  private static final int NO_BLOCK = -1;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final PositionedOutput file;
  private final TaskSlot slot;
  private final IntToLongFunction blockAfter;

  /** The bytes in each block before the current one. */
  private long[] filled = NO_BLOCKS;

  private int block;
  private long used;

  /** How many bytes the current chunk takes. */
  private long limit;

  /** The last bytes of the current chunk, if they move to the start of the next one. */
  private ByteBuffer carried = NOTHING;

  /**
   * The last block in front of those that an append passes over; none where nothing is passed over.
   */
  private int lastBeforeGap = NO_BLOCK;

  /** How many bytes the chunk in this block must leave free, so that no record ends with it. */
  private long freeBeforeGap;

  private boolean streaming;

  private ChunkWriter(PositionedOutput file, TaskSlot slot, IntToLongFunction blockAfter) {
    this.file = file;
    this.slot = slot;
    this.blockAfter = blockAfter;
    this.limit = slot.chunkSize();
  }

  /**
   * The writer of the task that {@code slot} describes, into {@code file}: its physical file, or an
   * output that forwards the bytes to it.
   */
  public static ChunkWriter of(PositionedOutput file, TaskSlot slot) {
    return new ChunkWriter(file, slot, block -> block + 1L);
  }

  /** The writer of a task that goes on where it stood when its multifile was closed. */
  public static ChunkWriter resume(PositionedOutput file, TaskSlot.AppendSlot slot) {
    ChunkWriter writer = new ChunkWriter(file, slot.slot(), slot::blockAfter);
    writer.block = slot.usage().blockCount() - 1;
    writer.filled = Arrays.copyOf(slot.usage().bytesPerBlock(), writer.block);
    writer.used = slot.usage().bytesInBlock(writer.block);
    writer.carried = slot.carried().duplicate();
    if (slot.reservedTo() > slot.reservedFrom()) {
      writer.lastBeforeGap = slot.reservedFrom() - 1;
    }
    return writer;
  }

  public int task() {
    return slot.task();
  }

  /** The most bytes that one chunk holds, and so the most that one {@link #write} takes. */
  public long chunkSize() {
    return slot.chunkSize();
  }

  /** The byte order of what the format itself puts into the stream. */
  ByteOrder metaDataOrder() {
    return slot.metaDataOrder();
  }

  /** The bytes written so far. */
  public long size() {
    long size = used;
    for (int index = 0; index < block; index++) {
      size += filled[index];
    }
    return size;
  }

  /**
   * Makes sure that the next {@code byteCount} bytes lie in one chunk, by going on to the next
   * block if the current chunk is too full. What is left of it stays unused.
   *
   * @throws IllegalArgumentException if no chunk of this task is that large
   */
  public void ensureFreeSpace(long byteCount) throws IOException {
    requireNoStream();
    requireChunks(byteCount);
    if (byteCount < 0 || byteCount > slot.chunkSize()) {
      throw new IllegalArgumentException(
          String.format(
              "%s: task %d wants %d bytes in one piece, but its chunks hold %d: ask for larger"
                  + " chunks, or let append() split the bytes.",
              file.path(), slot.task(), byteCount, slot.chunkSize()));
    }
    if (byteCount > limit - used) {
      startNextBlock();
    }
  }

  /**
   * Writes all of {@code source} into one chunk, as C's fwrite does: a write is never split. An
   * empty one changes no byte of this task, but in a merged group it counts as a call.
   *
   * @throws IllegalArgumentException if no chunk of this task is that large
   */
  public void write(ByteBuffer source) throws IOException {
    ensureFreeSpace(source.remaining());
    put(source);
  }

  /**
   * Writes all of {@code source}, split wherever a chunk is full. In a merged group every piece
   * counts as a call, and so does an empty {@code source}.
   */
  public void append(ByteBuffer source) throws IOException {
    requireNoStream();
    if (source.hasRemaining()) {
      fill(source);
    } else {
      put(source);
    }
  }

  /**
   * A buffered stream that appends. Until it is closed, this writer must not be used otherwise.
   * Closing it writes the rest of its buffer and closes nothing else.
   */
  public ChunkOutput stream() {
    // More than a chunk is never written at once, and many tasks may have small ones.
    long useful = Math.min(STREAM_BUFFER_SIZE, slot.chunkSize());
    return stream(ByteBuffer.allocate((int) Math.max(1, useful)));
  }

  /** The same with the caller's buffer, which must not be used otherwise until it is closed. */
  public ChunkOutput stream(ByteBuffer buffer) {
    requireNoStream();
    streaming = true;
    return new ChunkOutput(this, buffer.clear());
  }

  /** The bytes that fit in front of the blocks that stay empty, if there are such blocks ahead. */
  OptionalLong roomBeforeGap() {
    if (block > lastBeforeGap) {
      return OptionalLong.empty();
    }
    long wholeChunks = lastBeforeGap - (long) block;
    return OptionalLong.of(slot.chunkSize() - used + wholeChunks * slot.chunkSize());
  }

  /** Ends the last chunk in front of the gap {@code byteCount} bytes early. */
  void leaveFreeBeforeGap(long byteCount) {
    freeBeforeGap = byteCount;
    limit = limitOf(block);
  }

  private long limitOf(int ofBlock) {
    return Math.max(0, slot.chunkSize() - (ofBlock == lastBeforeGap ? freeBeforeGap : 0));
  }

  /**
   * What this task has written, to be handed to {@link Multifile#close}.
   *
   * @throws IllegalStateException if a stream still holds bytes back
   */
  public TaskUsage usage() {
    requireNoStream();
    long[] bytes = Arrays.copyOf(filled, block + 1);
    bytes[block] = used;
    return TaskUsage.of(bytes);
  }

  void fill(ByteBuffer source) throws IOException {
    requireChunks(source.remaining());
    while (source.hasRemaining()) {
      if (used == limit) {
        startNextBlock();
      }
      int piece = (int) Math.min(source.remaining(), limit - used);
      int end = source.limit();
      source.limit(source.position() + piece);
      try {
        put(source);
      } finally {
        source.limit(end);
      }
    }
  }

  private void requireChunks(long byteCount) {
    if (byteCount > 0 && slot.chunkSize() == 0) {
      throw new IllegalArgumentException(
          String.format(
              "%s: task %d asked for chunks of 0 bytes, so it cannot write %d: ask for larger"
                  + " chunks.",
              file.path(), slot.task(), byteCount));
    }
  }

  void streamClosed() {
    streaming = false;
  }

  private void put(ByteBuffer source) throws IOException {
    int start = source.position();
    int byteCount = source.remaining();
    try {
      file.write(slot.position(block, used), source);
    } catch (IOException failure) {
      source.position(start);
      throw failure;
    }
    used += byteCount;
  }

  /** Blocks that are passed over on the way stay empty. */
  private void startNextBlock() throws IOException {
    long next = blockAfter.applyAsLong(block);
    requireRoomForBlock(next);
    int carriedCount = carried.remaining();
    if (carriedCount > 0) {
      file.write(slot.position(next, 0), carried.duplicate());
      carried = NOTHING;
    }
    if (next > filled.length) {
      filled = Arrays.copyOf(filled, (int) Math.max(Math.max(4, 2L * block), next));
    }
    filled[block] = used - carriedCount;
    block = (int) next;
    used = carriedCount;
    limit = limitOf(block);
  }

  private void requireRoomForBlock(long next) throws IOException {
    if (next > Integer.MAX_VALUE - 8
        || next > (Long.MAX_VALUE - slot.start() - slot.chunkSize()) / slot.stride()) {
      throw new IOException(
          String.format(
              "%s: task %d has filled %d blocks, the most that the format can address: ask for"
                  + " larger chunks.",
              file.path(), slot.task(), next));
    }
  }

  private void requireNoStream() {
    if (streaming) {
      throw new IllegalStateException(
          String.format(
              "%s: task %d still has an open stream: close it first.", file.path(), slot.task()));
    }
  }
}
