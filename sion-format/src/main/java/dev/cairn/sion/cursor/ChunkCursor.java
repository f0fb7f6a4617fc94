package dev.cairn.sion.cursor;

import dev.cairn.sion.TaskView;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A reader's position in a task's stream: a block, and the bytes left in it. It moves as the C
 * library does, block by block, and so sees the borders that {@link TaskView#stream} hides. A call
 * that throws leaves it where it was.
 *
 * <p>One thread at a time. It owns nothing, so any number of them can stand in one task: there is
 * no need for C's dup.
 */
public final class ChunkCursor {
  private final TaskView task;
  private int block;
  private long positionInBlock;

  private ChunkCursor(TaskView task) {
    this.task = task;
  }

  /** A cursor at the start of block 0. */
  public static ChunkCursor over(TaskView task) {
    return new ChunkCursor(task);
  }

  /** The task that it reads. */
  public TaskView task() {
    return task;
  }

  /** The block in which it stands, counted from 0. */
  public int block() {
    return block;
  }

  /** The bytes of the block that lie before it. */
  public long positionInBlock() {
    return positionInBlock;
  }

  /** The bytes of the stream that lie before it; C calls them the bytes read. */
  public long position() {
    return task.blockStart(block) + positionInBlock;
  }

  /** Where it stands in the task's physical file. */
  public long offset() {
    return task.chunkOffset(block) + positionInBlock;
  }

  /** The bytes of the block that lie behind it; C's bytes_avail_in_chunk. */
  public long bytesLeft() {
    return task.bytesInBlock(block) - positionInBlock;
  }

  /**
   * Goes on to the next block, which may be empty, if none is left of this one.
   *
   * @return false at the end of the stream; C's feof says the opposite
   */
  public boolean advance() {
    if (bytesLeft() > 0) {
      return true;
    }
    if (block + 1 == task.blockCount()) {
      return false;
    }
    moveTo(block + 1, 0);
    return true;
  }

  /**
   * Reads until {@code target} is full or the block ends. Where nothing is left of the block, it
   * goes on to the next one that is not empty. C's fread refuses to read less than it was asked
   * for.
   *
   * @return the number of bytes read, or -1 at the end of the stream
   */
  public int read(ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return 0;
    }
    while (bytesLeft() == 0) {
      if (!advance()) {
        return -1;
      }
    }
    int end = target.limit();
    target.limit(target.position() + (int) Math.min(target.remaining(), bytesLeft()));
    try {
      int count = task.read(position(), target);
      positionInBlock += count;
      return count;
    } finally {
      target.limit(end);
    }
  }

  /**
   * Goes to a position in a block, which may be its end.
   *
   * @throws IllegalArgumentException if the task has no such block, or the block no such position
   */
  public void seek(int toBlock, long toPosition) {
    if (toBlock < 0 || toBlock >= task.blockCount()) {
      throw new IllegalArgumentException(
          String.format(
              "%s: task %d has blocks 0 to %d, but block %d was asked for.",
              task.file(), task.task(), task.blockCount() - 1, toBlock));
    }
    if (toPosition < 0 || toPosition > task.bytesInBlock(toBlock)) {
      throw new IllegalArgumentException(
          String.format(
              "%s: block %d of task %d has positions 0 to %d, but position %d was asked for.",
              task.file(), toBlock, task.task(), task.bytesInBlock(toBlock), toPosition));
    }
    moveTo(toBlock, toPosition);
  }

  /**
   * Goes to a position of the stream, which may be its end. The border of two blocks counts as the
   * end of the earlier one, as with C's ABSOLUTE_POS.
   *
   * @throws IllegalArgumentException if the stream has no such position
   */
  public void seekAbsolute(long toPosition) {
    if (toPosition < 0 || toPosition > task.size()) {
      throw new IllegalArgumentException(
          String.format(
              "%s: the stream of task %d has positions 0 to %d, but position %d was asked for.",
              task.file(), task.task(), task.size(), toPosition));
    }
    int toBlock = toPosition == 0 ? 0 : task.blockAt(toPosition - 1);
    moveTo(toBlock, toPosition - task.blockStart(toBlock));
  }

  /**
   * Goes to {@code byteCount} bytes before the end of the stream; C's END_POS takes a negative
   * number. The border of two blocks counts as the start of the later one, as in C.
   *
   * @throws IllegalArgumentException if the stream has fewer bytes
   */
  public void seekFromEnd(long byteCount) {
    if (byteCount < 0 || byteCount > task.size()) {
      throw new IllegalArgumentException(
          String.format(
              "%s: the stream of task %d has %d bytes, so none lies %d before its end.",
              task.file(), task.task(), task.size(), byteCount));
    }
    long toPosition = task.size() - byteCount;
    int toBlock = task.blockAt(toPosition);
    moveTo(toBlock, toPosition - task.blockStart(toBlock));
  }

  private void moveTo(int toBlock, long toPosition) {
    block = toBlock;
    positionInBlock = toPosition;
  }
}
