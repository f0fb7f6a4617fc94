package dev.cairn.sion.salvage.search;

import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.file.EntryBudget;
import dev.cairn.sion.file.FileHead;
import dev.cairn.sion.format.KeyValueMode;
import java.io.IOException;
import java.util.Arrays;

/**
 * Derives how much each task of an unclosed file has written. The lower bound counts the blocks
 * that certainly hold data. The upper bound counts all blocks, of which the last ones can hold a
 * part of META2.
 */
public final class Tracing {
  private final FileHead file;
  private final ZeroSearch zeros;
  private final EntryBudget budget;
  private final long certainEnd;
  private final long possibleEnd;

  /**
   * @param certainBlocks how many blocks hold data and nothing else
   * @param possibleBlocks how many blocks there can be
   */
  public Tracing(FileHead file, BytesSearched watch, int certainBlocks, int possibleBlocks)
      throws IOException {
    this.file = file;
    this.zeros = new ZeroSearch(file, watch);
    this.budget = new EntryBudget(file.path());
    this.certainEnd = endOf(certainBlocks);
    this.possibleEnd = endOf(possibleBlocks);
  }

  private long endOf(int blockCount) throws IOException {
    return Math.min(file.fileSize(), file.geometry().metaTwoStart(blockCount));
  }

  public TaskTrace trace(int localRank) throws IOException {
    TaskSpace certain = TaskSpace.of(file, localRank, certainEnd);
    TaskSpace possible = TaskSpace.of(file, localRank, possibleEnd);
    return file.header().keyValueMode() == KeyValueMode.INLINE
        ? traceRecords(certain, possible)
        : new TaskTrace(toLastByte(certain), TaskTrace.full(possible), "");
  }

  /**
   * The bytes of each block up to the last one that is not zero. Blocks of zeros at the end are
   * left out.
   */
  private long[] toLastByte(TaskSpace space) throws IOException {
    long[] found = budget.entries(1);
    int used = 1;
    for (int block = 0; block < space.blockCount() && space.size() > 0; block++) {
      long length = zeros.lengthWithoutZeros(space.extent(block));
      if (length > 0) {
        found = block < found.length ? found : grown(found, block);
        found[block] = length;
        used = block + 1;
      }
    }
    return Arrays.copyOf(found, used);
  }

  /** Grows at least by a factor of two, so that the cost of copying stays linear. */
  private long[] grown(long[] bytes, int block) throws SionException {
    long[] more = budget.entries(Math.max(block + 1, 2 * bytes.length));
    System.arraycopy(bytes, 0, more, 0, bytes.length);
    return more;
  }

  private TaskTrace traceRecords(TaskSpace certain, TaskSpace possible) throws IOException {
    RecordTrace records = new RecordTrace(certain, zeros).walk();
    long doubt = records.zerosInDoubt();
    long[] whole = records.withLast(budget);
    long[] least = doubt > 0 ? records.withoutLast(budget) : whole;
    if (certain.size() == possible.size()) {
      return new TaskTrace(least, TaskTrace.listed(whole), records.remark(doubt));
    }
    long[] most = new RecordTrace(possible, zeros).walk().withLast(budget);
    return new TaskTrace(least, TaskTrace.listed(most), records.remark(doubt));
  }
}
