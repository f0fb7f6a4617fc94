package dev.cairn.sion.salvage.search;

import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.file.FileHead;
import dev.cairn.sion.layout.BlockGeometry;
import dev.cairn.sion.stripe.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * All the bytes that one task can have written into a file: its chunks, one behind the other as if
 * each were full, up to the end of the file. A position in it is not one in the task's stream,
 * since the task may have left a chunk before it was full.
 *
 * @param file the physical file
 * @param localRank the task
 * @param size how many bytes they are
 */
public record TaskSpace(FileHead file, int localRank, long size) {
  /** The most blocks that a task can have. */
  static final long MOST_BLOCKS = Integer.MAX_VALUE - 8;

  /** The room of a task in the part of a file that ends at {@code fileEnd}. */
  static TaskSpace of(FileHead file, int localRank, long fileEnd) {
    BlockGeometry geometry = file.geometry();
    long chunkSize = geometry.chunkSize(localRank);
    long behindStart = fileEnd - geometry.start(localRank);
    if (chunkSize == 0 || behindStart <= 0) {
      return new TaskSpace(file, localRank, 0);
    }
    long block = behindStart / geometry.stride();
    long inBlock = Math.min(chunkSize, behindStart % geometry.stride());
    return new TaskSpace(file, localRank, block * chunkSize + inBlock);
  }

  /**
   * The number of blocks that reach into the file, whether or not their bytes were written.
   *
   * @throws SionException if they are more than the format can count
   */
  public static int blocksIn(FileHead file) throws IOException {
    long stride = file.geometry().stride();
    long behindStart = file.fileSize() - file.geometry().metaTwoStart(0);
    if (stride == 0 || behindStart <= 0) {
      return 1;
    }
    long count = (behindStart - 1) / stride + 1;
    if (count > MOST_BLOCKS) {
      throw new SionException.TooManyBlocks(file.path(), MOST_BLOCKS);
    }
    return (int) count;
  }

  long chunkSize() {
    return file.geometry().chunkSize(localRank);
  }

  /** How many chunks have bytes; one of none counts as one. */
  int blockCount() {
    return blockCount(size);
  }

  /** How many chunks the first {@code length} bytes take. */
  int blockCount(long length) {
    return length == 0 ? 1 : Math.toIntExact((length - 1) / chunkSize() + 1);
  }

  /** How many bytes of a block there are. */
  long bytes(int block) {
    return Math.min(chunkSize(), size - block * chunkSize());
  }

  /** Where the bytes of a block lie. */
  Extent extent(int block) {
    return new Extent(file.geometry().chunkStart(localRank, block), bytes(block));
  }

  /** Fills {@code target}, which must end inside, from a position on. */
  void read(long position, ByteBuffer target) throws IOException {
    int end = target.limit();
    long next = position;
    while (target.position() < end) {
      long inChunk = next % chunkSize();
      int piece = (int) Math.min(end - target.position(), chunkSize() - inChunk);
      file.readFully(offset(next), target.limit(target.position() + piece));
      next += piece;
    }
  }

  /** Where a byte of the room lies in the file. */
  long offset(long position) {
    int block = (int) (position / chunkSize());
    return file.geometry().chunkStart(localRank, block) + position % chunkSize();
  }
}
