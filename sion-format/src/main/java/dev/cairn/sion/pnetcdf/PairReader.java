package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.failure.LogBreak;
import dev.cairn.sion.field.Misfit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * Opens a pair of log files, which is the log of one process or those of several.
 *
 * @param entries the way to metadata logs
 * @param values the way to data logs
 */
record PairReader(LogWindow entries, LogWindow values) {
  /** In the order in which they are tried. Where two fit equally well, the first one is taken. */
  private static final List<MetaHeader.Layout> LAYOUTS =
      List.of(MetaHeader.Layout.C, MetaHeader.Layout.B1, MetaHeader.Layout.B2, MetaHeader.Layout.A);

  private static final Comparator<BurstScan> BY_QUALITY =
      Comparator.comparing((BurstScan scan) -> scan.damage().isEmpty())
          .thenComparing(BurstScan::entryCount);

  private static final ByteBuffer MAGIC = ByteBuffer.wrap(MetaHeader.MAGIC).asReadOnlyBuffer();

  /** The logs of all processes that share the files, in the order of their ranks. */
  List<BurstLog> logs(BurstLogName name) throws IOException {
    OptionalLong metaSize = entries.size(name.meta());
    OptionalLong dataSize = values.size(name.data());
    LogStream meta = LogStream.of(name.meta(), Sharing.NONE, metaSize.orElse(0));
    LogStream data = LogStream.of(name.data(), Sharing.NONE, dataSize.orElse(0));
    if (metaSize.isEmpty() || dataSize.isEmpty()) {
      Path missing = metaSize.isEmpty() ? name.meta() : name.data();
      String reason = "a log should begin, but there is no such file";
      return List.of(lost(name, meta, data, new LogBreak(missing, 0, reason)));
    }
    int count = headerCount(meta);
    int dataCount = magicCount(values, data);
    if (count > 1 ? dataCount != count : dataCount > 1) {
      String reason =
          String.format(
              "the file should have as many data logs as the other has metadata logs, %d, but has"
                  + " %d",
              count, dataCount);
      return List.of(lost(name, meta, data, new LogBreak(name.data(), 0, reason)));
    }
    List<BurstLog> logs = new ArrayList<>();
    for (int number = 0; number < Math.max(1, count); number++) {
      Sharing sharing = new Sharing(number, Math.max(1, count));
      logs.add(
          log(
              name,
              LogStream.of(name.meta(), sharing, meta.size()),
              LogStream.of(name.data(), sharing, data.size())));
    }
    return logs;
  }

  private BurstLog lost(BurstLogName name, LogStream meta, LogStream data, LogBreak damage) {
    return BurstLog.lost(name, meta, data, values, damage);
  }

  private BurstLog log(BurstLogName name, LogStream meta, LogStream data) throws IOException {
    if (!hasMagic(values, data, 0)) {
      long offset = data.sharing().fileOffset(0);
      String reason = "a data log should begin with PnetCDF0, but does not";
      return lost(name, meta, data, new LogBreak(data.path(), offset, reason));
    }
    try {
      return BurstLog.of(name, meta, data, values, scan(meta, data));
    } catch (Misfit misfit) {
      long offset = meta.sharing().fileOffset(misfit.position());
      return lost(name, meta, data, new LogBreak(meta.path(), offset, misfit.reason()));
    }
  }

  /**
   * Walks over the entries. Nothing in a header says which layout it has, so all that fit are
   * tried, and the best one is taken.
   */
  private BurstScan scan(LogStream meta, LogStream data) throws IOException, Misfit {
    List<BurstScan> scans = new ArrayList<>();
    for (MetaHeader header : headers(meta, 0)) {
      scans.add(new BurstScan(new EntryReader(entries, meta, header), data));
    }
    return Collections.max(scans, BY_QUALITY);
  }

  /**
   * The headers, of different layouts, for which the bytes at {@code position} can be taken; at
   * least one.
   *
   * @throws Misfit if there are none; it tells of the layout that fits longest
   */
  private List<MetaHeader> headers(LogStream meta, long position) throws IOException, Misfit {
    ByteBuffer bytes = entries.bytes(meta, position, MetaHeader.MOST_SIZE);
    List<MetaHeader> headers = new ArrayList<>();
    List<Misfit> misfits = new ArrayList<>();
    for (MetaHeader.Layout layout : LAYOUTS) {
      try {
        headers.add(MetaHeader.decoded(layout, bytes));
      } catch (Misfit misfit) {
        misfits.add(misfit);
      }
    }
    if (headers.isEmpty()) {
      throw Collections.max(misfits, Comparator.comparingLong(Misfit::position));
    }
    return headers;
  }

  /** How many processes share a metadata log: each has a header where its first block begins. */
  private int headerCount(LogStream meta) throws IOException {
    int count = 0;
    int rank = -1;
    while (hasMagic(entries, meta, count * Sharing.BLOCK_SIZE)) {
      try {
        int next = headers(meta, count * Sharing.BLOCK_SIZE).get(0).rank();
        if (next <= rank) {
          return count;
        }
        rank = next;
        count++;
      } catch (Misfit noHeader) {
        return count;
      }
    }
    return count;
  }

  private static int magicCount(LogWindow window, LogStream data) throws IOException {
    int count = 0;
    while (hasMagic(window, data, count * Sharing.BLOCK_SIZE)) {
      count++;
    }
    return count;
  }

  private static boolean hasMagic(LogWindow window, LogStream stream, long position)
      throws IOException {
    return position < stream.size()
        && window.bytes(stream, position, MAGIC.remaining()).equals(MAGIC);
  }
}
