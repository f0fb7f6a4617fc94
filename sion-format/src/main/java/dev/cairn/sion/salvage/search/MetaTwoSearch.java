package dev.cairn.sion.salvage.search;

import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.file.FileHead;
import dev.cairn.sion.format.BlockTable;
import dev.cairn.sion.format.KeyValueMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Optional;

/**
 * Searches a file whose META1 leads to no good META2. A complete META2 exists if the writer died
 * before it wrote the tail, or if only a part of the tail reached the disk. Otherwise the search
 * yields where a part of META2 can begin, which must not be taken for data.
 */
public final class MetaTwoSearch {
  /** With more candidates, chunks are smaller than META2's own entries. */
  private static final int MOST_PLACES = 1 << 12;

  private final FileHead file;

  /** The most tasks of a mapping behind META2. */
  private final long mappedTasks;

  private final BytesSearched watch;

  public MetaTwoSearch(FileHead file, long mappedTasks, BytesSearched watch) {
    this.file = file;
    this.mappedTasks = mappedTasks;
    this.watch = watch;
  }

  /** The META2 that one half of the tail leads to. */
  public Optional<BlockTable> byHalfOfTail() throws IOException {
    long tailEnd = file.tailOffset() + Integer.BYTES + Long.BYTES;
    if (tailEnd > file.fileSize()) {
      return Optional.empty();
    }
    ByteBuffer tail = ByteBuffer.allocate(Integer.BYTES + Long.BYTES).order(file.metaOrder());
    file.readFully(file.tailOffset(), tail);
    Optional<BlockTable> byCount = metaTwo(tail.getInt(0));
    return byCount.isPresent() ? byCount : byStart(tail.getLong(Integer.BYTES));
  }

  private Optional<BlockTable> byStart(long metaTwoStart) throws IOException {
    long behind = metaTwoStart - file.geometry().metaTwoStart(0);
    long stride = file.geometry().stride();
    if (stride == 0 || behind <= 0 || behind % stride != 0) {
      return Optional.empty();
    }
    return metaTwo(behind / stride);
  }

  /** The META2 that ends where the file ends, whatever follows it in this kind of file. */
  public Optional<BlockTable> atEndOfFile() throws IOException {
    for (long behind : sizesBehindMetaTwo()) {
      long rest = file.fileSize() - file.geometry().metaTwoStart(0) - entrySize() - behind;
      long perBlock = file.geometry().stride() + entrySize();
      if (rest > 0 && rest % perBlock == 0) {
        Optional<BlockTable> found = metaTwo(rest / perBlock);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private long[] sizesBehindMetaTwo() {
    return new long[] {0, Integer.BYTES, Integer.BYTES + 8 * mappedTasks};
  }

  private Optional<BlockTable> metaTwo(long maxBlocks) throws IOException {
    if (maxBlocks < 1 || maxBlocks > TaskSpace.MOST_BLOCKS) {
      return Optional.empty();
    }
    try {
      return Optional.of(file.readMetaTwo((int) maxBlocks));
    } catch (SionException | ArithmeticException noMetaTwo) {
      return Optional.empty();
    }
  }

  /**
   * The smallest number of blocks behind which the rest of the file can be a part of META2; the
   * number of all blocks if the rest is certainly data.
   */
  public int fewestBlocks() throws IOException {
    int blockCount = TaskSpace.blocksIn(file);
    long fewest = fewestByLength(blockCount);
    if (blockCount - fewest > MOST_PLACES) {
      return (int) fewest;
    }
    return fewestByBytes((int) fewest, blockCount);
  }

  private int fewestByBytes(int first, int blockCount) throws IOException {
    BitSet crossed = first < blockCount ? crossedByRecords(first, blockCount) : new BitSet();
    MetaTwoFragment remains = new MetaTwoFragment(file, mappedTasks, watch);
    int blocks = first;
    while (blocks < blockCount && (crossed.get(blocks - first) || !remains.mayFollow(blocks))) {
      blocks++;
    }
    return blocks;
  }

  private BitSet crossedByRecords(int first, int blockCount) throws IOException {
    BitSet crossed = new BitSet();
    if (file.header().keyValueMode() == KeyValueMode.INLINE) {
      for (int localRank = 0; localRank < file.taskCount(); localRank++) {
        TaskSpace space = TaskSpace.of(file, localRank, file.fileSize());
        new RecordBorders(space, blockCount).mark(crossed, first);
      }
    }
    return crossed;
  }

  /** The file is too long for a META2 behind fewer blocks than these. */
  private long fewestByLength(int blockCount) throws IOException {
    long behindMetaTwo = Integer.BYTES + 8 * mappedTasks;
    long unexplained =
        file.fileSize() - file.geometry().metaTwoStart(0) - entrySize() - behindMetaTwo;
    long perBlock = file.geometry().stride() + entrySize();
    return Math.max(1, Math.min(blockCount, (unexplained + perBlock - 1) / perBlock));
  }

  /** The bytes of one entry of each task. */
  private long entrySize() {
    return (long) Long.BYTES * file.taskCount();
  }
}
