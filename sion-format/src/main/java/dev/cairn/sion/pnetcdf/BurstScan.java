package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.failure.LogBreak;
import dev.cairn.sion.field.Misfit;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One walk over the entries of a log whose header has been read, to find how far it can be used.
 * Values are not read.
 */
final class BurstScan {
  private final EntryReader entries;
  private final LogStream data;
  private long[] positions = {};
  private int entryCount;
  private long metaEnd;
  private long dataEnd = MetaHeader.MAGIC.length;
  private @Nullable LogBreak damage;

  BurstScan(EntryReader entries, LogStream data) throws IOException {
    this.entries = entries;
    this.data = data;
    this.metaEnd = entries.header().size();
    walk(countOfEntries());
  }

  /**
   * How many entries count. Before the first put, the writer's count of entries is not there yet:
   * in its place is the size of the header.
   */
  private long countOfEntries() throws IOException {
    MetaHeader header = entries.header();
    long stored = header.storedCount();
    return stored == header.size() && entries.isFollowedByZeros() ? 0 : stored;
  }

  private void walk(long count) throws IOException {
    try {
      if (count < 0) {
        throw new Misfit(MetaHeader.Layout.COUNT_OFFSET, "%d entries cannot be", count);
      }
      while (entryCount < count) {
        add();
      }
    } catch (Misfit misfit) {
      LogStream meta = entries.meta();
      damage =
          new LogBreak(
              meta.path(),
              meta.sharing().fileOffset(misfit.position()),
              String.format("in entry %d of %d %s", entryCount, count, misfit.reason()));
    }
  }

  private void add() throws IOException, Misfit {
    MetaEntry entry = entries.entry(metaEnd);
    StagedPut put = entries.put(entry, metaEnd);
    if (put.dataOffset() != dataEnd) {
      throw new Misfit(metaEnd, "data_off should be %d, but is %d", dataEnd, put.dataOffset());
    }
    if (put.dataEnd() > data.size()) {
      throw new Misfit(
          metaEnd,
          "the values should end at byte %d of the data log, but it ends at byte %d",
          put.dataEnd(),
          data.size());
    }
    if (entryCount == positions.length) {
      positions = Arrays.copyOf(positions, Math.max(8, 2 * entryCount));
    }
    positions[entryCount++] = metaEnd;
    metaEnd += entry.size();
    dataEnd = put.dataEnd();
  }

  EntryReader entries() {
    return entries;
  }

  int entryCount() {
    return entryCount;
  }

  /** Where the entry {@code number} begins. */
  long position(int number) {
    return positions[Objects.checkIndex(number, entryCount)];
  }

  /** Where the last entry that counts ends. */
  long metaEnd() {
    return metaEnd;
  }

  /** Where its values end. */
  long dataEnd() {
    return dataEnd;
  }

  /** The first place that does not fit; empty if all entries do. */
  Optional<LogBreak> damage() {
    return Optional.ofNullable(damage);
  }
}
