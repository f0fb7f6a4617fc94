package dev.cairn.sion;

import dev.cairn.sion.format.KeyValueMode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * One task's stream, read back. Positions are logical: where the chunks lie does not show.
 *
 * <p>A view from a {@link GlobalView} owns nothing, and closing it does nothing; one from {@link
 * Multifile#openTask} owns its files. Any number of threads may read at once.
 */
public final class TaskView implements Closeable {
  private static final Closeable NOTHING = () -> {};

  private final int task;
  private final PhysicalFile file;
  private final int localRank;
  private final Closeable owned;

  TaskView(int task, PhysicalFile file, int localRank) {
    this(task, file, localRank, NOTHING);
  }

  TaskView(int task, PhysicalFile file, int localRank, Closeable owned) {
    this.task = task;
    this.file = file;
    this.localRank = localRank;
    this.owned = owned;
  }

  /** The task's number in the multifile. */
  public int task() {
    return task;
  }

  /** The physical file that holds the task's chunks. */
  public Path file() {
    return file.path();
  }

  /** The number by which the writing program knew the task. */
  public long globalRank() {
    return file.columns().globalRank(localRank);
  }

  /** The chunk size as META1 holds it; in formats 2 and 3 that is the one asked for. */
  public long chunkSize() {
    return file.columns().chunkSize(localRank);
  }

  /** The length of the stream. */
  public long size() {
    return file.blocks().size(localRank);
  }

  /** The blocks that the task used; at least one. */
  public int blockCount() {
    return file.blocks().blockCount(localRank);
  }

  /** The bytes in one of its blocks. */
  public long bytesInBlock(int block) {
    return file.blocks().bytes(localRank, block);
  }

  /** Where its chunk in one of its blocks begins in the physical file. */
  public long chunkOffset(int block) {
    return file.chunkOffset(localRank, block);
  }

  /** The logical position at which a block begins. */
  long blockStart(int block) {
    return file.blocks().blockStart(localRank, block);
  }

  /** The block that holds the byte at {@code position}; the last one for the end of the stream. */
  int blockAt(long position) {
    return file.blocks().blockAt(localRank, position);
  }

  /**
   * Reads from {@code position} on, over block borders, until {@code target} is full or the stream
   * ends.
   *
   * @return the number of bytes read, or -1 at or behind the end of the stream
   */
  public int read(long position, ByteBuffer target) throws IOException {
    if (position < 0) {
      throw new IllegalArgumentException(
          String.format(
              "%s: task %d has no position %d: positions begin at 0.",
              file.path(), task, position));
    }
    return file.read(localRank, position, target);
  }

  /** The stream from its start, with a position of its own; closing it closes nothing else. */
  public ChunkInput stream() {
    return new ChunkInput(this);
  }

  /** A place in the stream that knows blocks, as in C, at the start of block 0. */
  public ChunkCursor cursor() {
    return new ChunkCursor(this);
  }

  /**
   * The task's records. This walks over all of their headers.
   *
   * @throws IllegalStateException if the multifile holds plain bytes
   * @throws SionException if the stream is not a row of whole records
   */
  public RecordView records() throws IOException {
    if (!holdsRecords()) {
      throw new IllegalStateException(
          String.format("%s holds plain bytes, no records: read the stream.", file.path()));
    }
    return RecordView.of(this);
  }

  boolean holdsRecords() {
    return file.header().keyValueMode() == KeyValueMode.INLINE;
  }

  ByteOrder metaOrder() {
    return file.metaOrder();
  }

  /** The complaint that {@code field}, at a position of this stream, is damaged. */
  SionException corrupt(long position, String field, String expected, String found) {
    return new SionException.Corrupt(
        file.path(), file.offset(localRank, position), field, expected, found);
  }

  @Override
  public void close() throws IOException {
    owned.close();
  }
}
