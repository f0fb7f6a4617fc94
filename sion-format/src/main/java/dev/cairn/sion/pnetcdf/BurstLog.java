package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.failure.LogBreak;
import dev.cairn.sion.field.Misfit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The log of one process. Its puts are found when it is opened; their values are read when they are
 * asked for. It uses the {@link BurstLogSet} to which it belongs.
 *
 * <p>What does not fit is no failure: {@link #damage} tells of it, and all puts before it can be
 * read. Bytes behind the last put that counts are no data: they are of an earlier flush, or of a
 * put that did not end.
 */
public final class BurstLog {
  private final BurstLogName name;
  private final LogStream meta;
  private final LogStream data;
  private final LogWindow values;
  private final @Nullable BurstScan scan;
  private final @Nullable LogBreak damage;

  private BurstLog(
      BurstLogName name,
      LogStream meta,
      LogStream data,
      LogWindow values,
      @Nullable BurstScan scan,
      @Nullable LogBreak damage) {
    this.name = name;
    this.meta = meta;
    this.data = data;
    this.values = values;
    this.scan = scan;
    this.damage = damage;
  }

  static BurstLog of(
      BurstLogName name, LogStream meta, LogStream data, LogWindow values, BurstScan scan) {
    return new BurstLog(name, meta, data, values, scan, scan.damage().orElse(null));
  }

  /** A log of which nothing can be read. */
  static BurstLog lost(
      BurstLogName name, LogStream meta, LogStream data, LogWindow values, LogBreak damage) {
    return new BurstLog(name, meta, data, values, null, damage);
  }

  /** The names of its files. */
  public BurstLogName name() {
    return name;
  }

  /** Its header; empty if there is none that fits to any layout. */
  public Optional<MetaHeader> header() {
    return Optional.ofNullable(scan).map(found -> found.entries().header());
  }

  /** The process that wrote it, or the one in its name if its header is lost. */
  public int rank() {
    return header().map(MetaHeader::rank).orElse(name.rank());
  }

  /** How many processes share its files. */
  public int sharerCount() {
    return meta.sharing().count();
  }

  /** Which one of these it is, from 0. */
  int sharer() {
    return meta.sharing().number();
  }

  /** The first place that does not fit; empty if the log is whole. */
  public Optional<LogBreak> damage() {
    return Optional.ofNullable(damage);
  }

  /** How many puts can be used. */
  public int putCount() {
    return scan == null ? 0 : scan.entryCount();
  }

  /** Reads the put {@code number}, counted from 0 in the order of the calls. */
  public StagedPut put(int number) throws IOException {
    BurstScan found = scan;
    if (found == null) {
      throw new IndexOutOfBoundsException("there are no puts in " + name.meta());
    }
    long position = found.position(number);
    try {
      return found.entries().put(found.entries().entry(position), position);
    } catch (Misfit changed) {
      throw new BurstLogException(
          name.meta(),
          String.format(
              "put %d has changed since it was looked at: %s. Another program writes this log: let"
                  + " it end first.",
              number, changed.reason()));
    }
  }

  /**
   * Fills {@code target} with values of {@code put} from the byte {@code position} of them on. They
   * are in the byte order of the header, and nothing shows whether they are what was written.
   *
   * @throws IndexOutOfBoundsException if the range reaches behind the end of the values
   */
  public void read(StagedPut put, long position, ByteBuffer target) throws IOException {
    Objects.checkFromIndexSize(position, target.remaining(), put.dataSize());
    values.readFully(data, put.dataOffset() + position, target);
  }

  /** The bytes behind the last entry that counts, which are no data. */
  public long metaTail() {
    return scan == null ? 0 : meta.size() - scan.metaEnd();
  }

  /** The bytes behind the last value, which are no data. */
  public long dataTail() {
    return scan == null ? 0 : Math.max(0, data.size() - scan.dataEnd());
  }

  /** The bytes of all values. */
  public long dataSize() {
    return scan == null ? 0 : scan.dataEnd() - MetaHeader.MAGIC.length;
  }
}
