package dev.cairn.sion.salvage.search;

import dev.cairn.sion.file.FileHead;
import dev.cairn.sion.format.BlockTable;
import dev.cairn.sion.format.UnusedBlocks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Tells whether the rest of a file may be a part of META2 and of the mapping behind it: each entry
 * is legal, or bytes of it are zero because they never reached the disk.
 */
final class MetaTwoFragment {
  /** Most candidates are refused by their first entries. */
  private static final int BUFFER_SIZE = 1 << 10;

  /**
   * Bounds the work: a mapping can be as long as the file, and there can be thousands of
   * candidates.
   */
  private static final long MOST_OF_MAPPING = 1 << 20;

  /** The lowest bit of each byte. */
  private static final long LOWEST_BITS = 0x0101_0101_0101_0101L;

  private final FileHead file;
  private final long mappedTasks;
  private final BytesSearched watch;

  /** Shared by all candidates. */
  private final ByteBuffer buffer;

  /** Whether entry number {@code entry}, which begins at {@code index} of the buffer, is legal. */
  private interface EntryRule {
    boolean allows(long entry, int index);
  }

  /**
   * The remains in one file.
   *
   * @param mappedTasks the most tasks of a mapping behind META2
   */
  MetaTwoFragment(FileHead file, long mappedTasks, BytesSearched watch) {
    this.file = file;
    this.mappedTasks = mappedTasks;
    this.watch = watch;
    this.buffer = ByteBuffer.allocate(BUFFER_SIZE).order(file.metaOrder());
  }

  /** Whether META2 can begin behind {@code blocks} blocks. */
  boolean mayFollow(int blocks) throws IOException {
    long start = file.geometry().metaTwoStart(blocks);
    long mapping = start + BlockTable.size(file.taskCount(), blocks);
    return areLegal(
            start,
            mapping,
            Long.BYTES,
            (entry, index) -> isLegalInTable(entry, blocks, buffer.getLong(index)))
        && areLegal(
            mapping,
            mapping + MOST_OF_MAPPING,
            Integer.BYTES,
            (entry, index) -> isLegalInMapping(entry, buffer.getInt(index)));
  }

  /** Behind the end of the file zeros are assumed, which are legal everywhere. */
  private boolean areLegal(long start, long mostEnd, int width, EntryRule rule) throws IOException {
    long end = Math.min(mostEnd, file.fileSize());
    for (long next = start; next < end; next += BUFFER_SIZE) {
      read(next, end);
      for (int index = 0; index < BUFFER_SIZE; index += width) {
        if (!rule.allows((next + index - start) / width, index)) {
          return false;
        }
      }
    }
    return true;
  }

  private void read(long position, long end) throws IOException {
    Arrays.fill(buffer.array(), (byte) 0);
    file.readFully(position, buffer.clear().limit((int) Math.min(BUFFER_SIZE, end - position)));
    watch.searched(BUFFER_SIZE);
    buffer.clear();
  }

  private boolean isLegalInTable(long entry, int blocks, long value) {
    int taskCount = file.taskCount();
    if (entry < taskCount) {
      return value >= 0 && value <= blocks;
    }
    long most = file.geometry().chunkSize((int) (entry % taskCount));
    return (value >= 0 && value <= most) || isLeftOfMinusOne(value);
  }

  /**
   * Whether each byte is one of {@link UnusedBlocks#MINUS_ONE} or zero. An entry need not end where
   * a sector of the disk does. What is left of any other number is smaller, and so legal.
   */
  private static boolean isLeftOfMinusOne(long value) {
    return value == (value & LOWEST_BITS) * 0xff;
  }

  /** The number of tasks comes first, then of each the number of its file and its local rank. */
  private boolean isLegalInMapping(long entry, int value) {
    long most = entry % 2 == 1 ? file.header().fileCount() - 1 : mappedTasks;
    return value >= 0 && value <= most;
  }
}
