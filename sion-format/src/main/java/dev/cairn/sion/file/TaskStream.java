package dev.cairn.sion.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * One task's stream in a physical file whose tasks' lengths are known: what every view of a task is
 * made of. It closes only the resource that it was given to own.
 */
public class TaskStream implements Closeable {
  private static final Closeable NOTHING = () -> {};

  private final int task;
  private final PhysicalFile file;
  private final int localRank;
  private final Closeable owned;

  /** A stream that owns nothing. */
  public TaskStream(int task, PhysicalFile file, int localRank) {
    this(task, file, localRank, NOTHING);
  }

  /** A stream that closes {@code owned} with itself. */
  public TaskStream(int task, PhysicalFile file, int localRank, Closeable owned) {
    this.task = task;
    this.file = file;
    this.localRank = localRank;
    this.owned = owned;
  }

  public final int task() {
    return task;
  }

  public final Path file() {
    return file.path();
  }

  public final long globalRank() {
    return file.columns().globalRank(localRank);
  }

  public final long chunkSize() {
    return file.columns().chunkSize(localRank);
  }

  public final long size() {
    return file.blocks().size(localRank);
  }

  public final int blockCount() {
    return file.blocks().blockCount(localRank);
  }

  public final long bytesInBlock(int block) {
    return file.blocks().bytes(localRank, block);
  }

  public final long blockStart(int block) {
    return file.blocks().blockStart(localRank, block);
  }

  public final int blockAt(long position) {
    return file.blocks().blockAt(localRank, position);
  }

  public final long chunkOffset(int block) {
    return file.chunkOffset(localRank, block);
  }

  public final long offset(long position) {
    return file.offset(localRank, position);
  }

  public final ByteOrder metaDataOrder() {
    return file.metaOrder();
  }

  public final boolean holdsRecords() {
    return file.holdsRecords();
  }

  public final int read(long position, ByteBuffer target) throws IOException {
    if (position < 0) {
      throw new IllegalArgumentException(
          String.format(
              "%s: task %d has no position %d: positions begin at 0.",
              file.path(), task, position));
    }
    return file.read(localRank, position, target);
  }

  @Override
  public final void close() throws IOException {
    owned.close();
  }
}
