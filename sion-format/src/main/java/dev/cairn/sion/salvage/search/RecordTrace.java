package dev.cairn.sion.salvage.search;

import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.file.EntryBudget;
import dev.cairn.sion.format.RecordHeader;
import dev.cairn.sion.stripe.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The records that a task has left in a file which was not closed, found by walking over their
 * headers. A header of zeros ends the walk, unless the next chunk begins with a record: writers may
 * leave the rest of a chunk unused. (An empty record of key 0 looks like a hole.)
 *
 * <p>A record is certainly whole if something not zero was written at its very end or behind it.
 */
final class RecordTrace {
  private static final int MOST_JUMPS = 1 << 20;

  private final TaskSpace space;
  private final ZeroSearch zeros;
  private final ByteBuffer header;
  private final List<Jump> jumps = new ArrayList<>();

  private long count;
  private long key;
  private long lastStart;

  /** Where the record before the last one ends. */
  private long endBeforeLast;

  private long end;

  /** The task leaves a chunk before it is full and goes on at the start of a later one. */
  private record Jump(long from, long to) {}

  RecordTrace(TaskSpace space, ZeroSearch zeros) {
    this.space = space;
    this.zeros = zeros;
    this.header = ByteBuffer.allocate(RecordHeader.SIZE).order(space.file().metaOrder());
  }

  /** Walks to the last record. */
  RecordTrace walk() throws IOException {
    long next = 0;
    while (isRecord(next)) {
      endBeforeLast = end;
      lastStart = next;
      key = header.getLong(0);
      end = next + RecordHeader.SIZE + header.getLong(Long.BYTES);
      count++;
      next = isRecord(end) ? end : startOfLaterChunk();
    }
    return this;
  }

  /** Whether a header that is not zero, and a value that fits, begin at a position. */
  private boolean isRecord(long position) throws IOException {
    if (position < 0 || position > space.size() - RecordHeader.SIZE) {
      return false;
    }
    space.read(position, header.clear());
    long length = header.getLong(Long.BYTES);
    boolean fits = length >= 0 && length <= space.size() - position - RecordHeader.SIZE;
    return fits && (length != 0 || header.getLong(0) != 0);
  }

  /** Where the walk goes on behind unused chunks or rests of them, or -1. */
  private long startOfLaterChunk() throws IOException {
    long chunk = end;
    while (chunk < space.size() && isUnused(chunk)) {
      chunk = startOfNext(chunk);
      if (isRecord(chunk)) {
        addJump(chunk);
        return chunk;
      }
    }
    return -1;
  }

  private boolean isUnused(long from) throws IOException {
    long to = Math.min(startOfNext(from), space.size());
    return zeros.lengthWithoutZeros(new Extent(space.offset(from), to - from)) == 0;
  }

  private long startOfNext(long position) {
    return (position / space.chunkSize() + 1) * space.chunkSize();
  }

  private void addJump(long to) throws SionException {
    if (jumps.size() == MOST_JUMPS) {
      throw new SionException.Corrupt(
          space.file().path(),
          space.offset(to),
          "chunk of local rank " + space.localRank(),
          "one of at most " + MOST_JUMPS + " that are not full",
          "one more");
    }
    jumps.add(new Jump(end, to));
  }

  /**
   * The number of zeros at the end of the last record that may never have been written; 0 if a byte
   * behind them or the end of the file shows that they were.
   */
  long zerosInDoubt() throws IOException {
    if (count == 0 || isAtEndOfFile() || isFollowed()) {
      return 0;
    }
    long left = end;
    while (left > lastStart) {
      int block = space.blockCount(left) - 1;
      long blockStart = Math.max(lastStart, block * space.chunkSize());
      long length =
          zeros.lengthWithoutZeros(new Extent(space.offset(blockStart), left - blockStart));
      if (length > 0) {
        return end - blockStart - length;
      }
      left = blockStart;
    }
    return end - lastStart;
  }

  /** Whether the next record was begun. */
  private boolean isFollowed() throws IOException {
    header.clear().limit((int) Math.min(header.capacity(), space.size() - end));
    space.read(end, header);
    header.flip();
    while (header.hasRemaining()) {
      if (header.get() != 0) {
        return true;
      }
    }
    return false;
  }

  private boolean isAtEndOfFile() throws IOException {
    return space.offset(end - 1) + 1 == space.file().fileSize();
  }

  /** The bytes in each block if the last record counts. */
  long[] withLast(EntryBudget budget) throws SionException {
    return bytesPerBlock(end, budget);
  }

  /** The bytes in each block if it does not. */
  long[] withoutLast(EntryBudget budget) throws SionException {
    return bytesPerBlock(endBeforeLast, budget);
  }

  private long[] bytesPerBlock(long streamEnd, EntryBudget budget) throws SionException {
    int blockCount = space.blockCount(streamEnd);
    long[] bytes = budget.entries(blockCount);
    for (int block = 0; block < blockCount; block++) {
      bytes[block] = Math.min(space.chunkSize(), streamEnd - block * space.chunkSize());
    }
    for (Jump jump : jumps) {
      if (jump.to < streamEnd) {
        leave(bytes, jump);
      }
    }
    return bytes;
  }

  private void leave(long[] bytes, Jump jump) {
    int block = (int) (jump.from / space.chunkSize());
    bytes[block] = jump.from % space.chunkSize();
    int last = (int) (jump.to / space.chunkSize());
    for (int skipped = block + 1; skipped < last; skipped++) {
      bytes[skipped] = 0;
    }
  }

  /** The remark on these records. */
  String remark(long zerosInDoubt) throws IOException {
    String found = count == 0 ? "no record" : count + (count == 1 ? " record" : " records");
    String last = count == 0 ? "" : ", the last of key " + unsigned(key);
    return found + last + doubt(zerosInDoubt) + rest();
  }

  private static String doubt(long zeros) {
    return zeros == 0
        ? ""
        : String.format(", which ends in %d zero bytes that may never have been written", zeros);
  }

  /** Describes an incomplete record behind the last one. */
  private String rest() throws IOException {
    if (end > space.size() - RecordHeader.SIZE) {
      return "";
    }
    space.read(end, header.clear());
    long length = header.getLong(Long.BYTES);
    return length == 0 && header.getLong(0) == 0
        ? ""
        : String.format(
            "; one of key %s with %s bytes begins behind and is cut",
            unsigned(header.getLong(0)), unsigned(length));
  }

  private static String unsigned(long number) {
    return Long.toUnsignedString(number);
  }
}
