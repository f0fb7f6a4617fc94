package dev.cairn.sion.salvage.search;

import dev.cairn.sion.format.RecordHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * The blocks that begin in the middle of a record. META2 cannot begin at such a block, since a
 * writer closes its file behind whole records only.
 *
 * <p>The walk stops at the first header of zeros. A later chunk can then begin in the middle of a
 * value whose header was lost.
 */
final class RecordBorders {
  private final TaskSpace space;
  private final int blockCount;
  private final ByteBuffer header;

  /**
   * The borders of one task.
   *
   * @param space all that the task can have written
   * @param blockCount how many blocks the file has
   */
  RecordBorders(TaskSpace space, int blockCount) {
    this.space = space;
    this.blockCount = blockCount;
    this.header = ByteBuffer.allocate(RecordHeader.SIZE).order(space.file().metaOrder());
  }

  /** Marks those of the blocks from {@code first} on, which has bit 0. */
  void mark(BitSet crossed, int first) throws IOException {
    long start = 0;
    while (start < space.size()) {
      readHeader(start);
      int begun = zerosInHeader();
      if (begun == header.limit()) {
        return;
      }
      // Zeros are no evidence: the header can begin with them, and so can META2.
      int from = Math.max(blockAt(start + begun) + 1, first);
      long end = endOfRecord(start);
      int to = end > space.size() ? blockCount : blockAt(end - 1) + 1;
      if (from < to) {
        crossed.set(from - first, to - first);
      }
      start = end;
    }
  }

  private void readHeader(long start) throws IOException {
    header.clear().limit((int) Math.min(header.capacity(), space.size() - start));
    space.read(start, header);
    header.flip();
  }

  private int zerosInHeader() {
    int zeros = 0;
    while (zeros < header.limit() && header.get(zeros) == 0) {
      zeros++;
    }
    return zeros;
  }

  /** Behind all that the task can have written, if not all of the record is in it. */
  private long endOfRecord(long start) {
    long valueStart = start + RecordHeader.SIZE;
    long length = valueStart > space.size() ? Long.MAX_VALUE : header.getLong(Long.BYTES);
    boolean fits = length >= 0 && length <= space.size() - valueStart;
    return fits ? valueStart + length : Long.MAX_VALUE;
  }

  private int blockAt(long position) {
    return (int) (position / space.chunkSize());
  }
}
