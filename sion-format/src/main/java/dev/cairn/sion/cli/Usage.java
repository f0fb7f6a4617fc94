package dev.cairn.sion.cli;

import dev.cairn.sion.GlobalView;
import dev.cairn.sion.TaskView;

/**
 * How well a multifile's chunks are filled. A chunk counts as full, partly filled or empty; blocks
 * that a task never reached count as empty ones.
 */
final class Usage {
  private final int blockSize;

  long chunkBytes;
  long dataBytes;
  final Tally fullChunks = new Tally();
  final Tally partlyFilledChunks = new Tally();
  final Tally emptyChunks = new Tally();
  final Tally fullBlocks = new Tally();
  final Tally partlyUsedBlocks = new Tally();

  /** How many chunks or file-system blocks of a kind there are, and their bytes. */
  static final class Tally {
    long count;
    long bytes;

    private void add(long moreCount, long moreBytes) {
      count += moreCount;
      bytes += moreBytes;
    }
  }

  private Usage(int blockSize) {
    this.blockSize = blockSize;
  }

  static Usage of(GlobalView view) {
    Usage usage = new Usage(view.info().blockSize());
    int blockCount = view.blockCount();
    for (int task = 0; task < view.taskCount(); task++) {
      usage.addTask(view.task(task), blockCount);
    }
    return usage;
  }

  private void addTask(TaskView task, int blockCount) {
    long chunkSize = task.chunkSize();
    chunkBytes += chunkSize * task.blockCount();
    dataBytes += task.size();
    for (int block = 0; block < task.blockCount(); block++) {
      addChunk(task.bytesInBlock(block), chunkSize);
    }
    long missing = (long) blockCount - task.blockCount();
    emptyChunks.add(missing, missing * chunkSize);
  }

  private void addChunk(long bytes, long chunkSize) {
    if (bytes == chunkSize) {
      fullChunks.add(1, bytes);
    } else if (bytes > 0) {
      partlyFilledChunks.add(1, bytes);
    } else {
      emptyChunks.add(1, chunkSize);
    }
    addBlocks(bytes);
  }

  /**
   * The C tool counts a chunk's file-system blocks, and the bytes in them, in 32 bits. That matters
   * in chunks of 2 GiB and more, where its numbers are wrong; they are the same here, because a
   * dump is there to be compared with a dump.
   */
  private void addBlocks(long bytes) {
    int full = (int) (bytes / blockSize);
    fullBlocks.add(full, (long) full * blockSize);
    if (bytes % blockSize > 0) {
      int bytesInFull = full * blockSize;
      partlyUsedBlocks.add(1, bytes - bytesInFull);
    }
  }
}
