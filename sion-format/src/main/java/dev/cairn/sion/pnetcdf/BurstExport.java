package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.log.LogIdentity;
import dev.cairn.sion.log.LogReader;
import dev.cairn.sion.log.LogRecord;
import dev.cairn.sion.log.Region;
import dev.cairn.sion.netcdf.NetcdfReader;
import dev.cairn.sion.netcdf.Variable;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * Writes puts that wait in logs of our own as logs of PnetCDF, in layout C. They are puts of cells
 * as they lie in a NetCDF file: the first dimension of a variable with records is the record.
 *
 * <p>Each rank of which there are logs gets one, with its puts in the order of generations and
 * records. Notes are left out, since logs of PnetCDF have none. One thread at a time.
 */
public final class BurstExport {
  /** Logs of our own do not name it, and those of PnetCDF have to. */
  private static final String UNKNOWN_HOST = "unknown";

  private final BlockStore store;
  private final PutCheck check;

  /** The directories of the logs, by rank and generation. */
  private final TreeMap<Integer, TreeMap<Long, Path>> logs = new TreeMap<>();

  private final List<String> losses = new ArrayList<>();
  private int rankCount;
  private long putCount;
  private long valueBytes;

  private BurstExport(BlockStore store, PutCheck check) {
    this.store = store;
    this.check = check;
  }

  /**
   * Looks at all records of the logs in {@code directories}, and checks that {@code file} has the
   * cells of all puts; nothing is written yet.
   *
   * @param file the NetCDF classic file for which they wait
   * @throws BurstLogException if a put is not for a file like this one, the logs do not belong
   *     together
   */
  public static BurstExport open(BlockStore store, Path file, List<Path> directories)
      throws IOException {
    try (NetcdfReader target = NetcdfReader.open(store, file)) {
      BurstExport export = new BurstExport(store, new PutCheck(file, target.layout()));
      for (Path directory : directories) {
        export.look(directory);
      }
      return export;
    }
  }

  private void look(Path directory) throws IOException {
    try (LogReader log = LogReader.open(store, directory)) {
      if (log.state() instanceof LogReader.State.Damaged damaged) {
        losses.add(
            String.format(
                "%s. The log is damaged there; records before that can be used: %d.",
                damaged.at(), log.recordCount()));
      }
      if (log.identity().isPresent()) {
        add(directory, log.identity().get());
        checkPuts(directory, log);
      }
    }
  }

  private void add(Path directory, LogIdentity identity) throws BurstLogException {
    if (rankCount != 0 && rankCount != identity.rankCount()) {
      throw new BurstLogException(
          directory,
          String.format(
              "this is a log of %d ranks, but another one is of %d. Name only logs of one run.",
              identity.rankCount(), rankCount));
    }
    rankCount = identity.rankCount();
    Path other =
        logs.computeIfAbsent(identity.rank(), rank -> new TreeMap<>())
            .putIfAbsent(identity.generation(), directory);
    if (other != null) {
      throw new BurstLogException(
          directory,
          String.format(
              "this is log %d of rank %d, but so is %s. Name only logs of one run.",
              identity.generation(), identity.rank(), other));
    }
  }

  private void checkPuts(Path directory, LogReader log) throws IOException {
    LogReader.Cursor cursor = log.cursor();
    while (cursor.advance()) {
      Optional<Region> region = cursor.record().region();
      if (region.isPresent()) {
        check(new PutTitle(directory, "record " + cursor.record().sequence()), region.get());
      }
    }
  }

  private void check(PutTitle title, Region region) throws BurstLogException {
    Variable variable = check.variable(title, region.variable());
    requireCellSize(title, variable, region);
    for (PutBoxes boxes : RegionBoxes.of(region)) {
      check.requireCells(title, variable, boxes);
      putCount++;
    }
    valueBytes += region.byteCount();
  }

  private void requireCellSize(PutTitle title, Variable variable, Region region)
      throws BurstLogException {
    if (region.elementSize() != variable.type().size()) {
      throw title.unfit(
          String.format(
              "it has cells of %d bytes, but those of variable %s of %s are of type %s",
              region.elementSize(), variable.name(), check.file(), variable.type()));
    }
  }

  /** What is not there any more: a sentence for each damaged log. */
  public List<String> losses() {
    return List.copyOf(losses);
  }

  /** How many puts the logs of PnetCDF will have. */
  public long putCount() {
    return putCount;
  }

  /** The bytes of all their values. */
  public long valueBytes() {
    return valueBytes;
  }

  /**
   * Writes the logs into {@code directory}, which exists, and makes them durable. Their names are
   * those for the handle 0. If it fails, the files that it has made are deleted.
   *
   * @param exported called with the number of bytes of values written since the last call
   * @return the names of the logs, by rank
   * @throws BurstLogException if there is a log of one of these names
   * @throws dev.cairn.sion.log.LogException.DamagedPayload if values are damaged
   */
  public List<BurstLogName> run(Path directory, LongConsumer exported) throws IOException {
    List<BurstLogName> names = logs.keySet().stream().map(rank -> name(directory, rank)).toList();
    for (BurstLogName name : names) {
      requireNew(name.meta());
      requireNew(name.data());
    }
    try {
      for (Map.Entry<Integer, TreeMap<Long, Path>> ofRank : logs.entrySet()) {
        write(name(directory, ofRank.getKey()), ofRank.getValue().values(), exported);
      }
      store.forceDirectory(directory);
      return names;
    } catch (IOException | RuntimeException | Error failure) {
      names.forEach(name -> deleteAfter(failure, name));
      throw failure;
    }
  }

  private BurstLogName name(Path directory, int rank) {
    return new BurstLogName(directory, String.valueOf(check.file().getFileName()), 0, rank);
  }

  private void requireNew(Path file) throws IOException {
    if (store.exists(file)) {
      throw new BurstLogException(
          file, "it exists and is not overwritten: delete it, or choose another directory.");
    }
  }

  private void deleteAfter(Throwable failure, BurstLogName name) {
    CloseAll.after(failure, () -> deleteIfThere(name.meta()), () -> deleteIfThere(name.data()));
  }

  private void deleteIfThere(Path file) throws IOException {
    if (store.exists(file)) {
      store.delete(file);
    }
  }

  private void write(BurstLogName name, Collection<Path> ofRank, LongConsumer exported)
      throws IOException {
    String target = check.file().toAbsolutePath().normalize().toString();
    MetaHeader header =
        MetaHeader.ofNewLog(
            MetaHeader.Layout.C,
            ByteOrder.BIG_ENDIAN,
            rankCount,
            name.rank(),
            target,
            UNKNOWN_HOST);
    try (BurstLogWriter writer = BurstLogWriter.create(store, name, header)) {
      for (Path directory : ofRank) {
        try (LogReader log = LogReader.open(store, directory)) {
          copy(log, writer, exported);
        }
      }
      writer.force();
    }
  }

  private void copy(LogReader log, BurstLogWriter writer, LongConsumer exported)
      throws IOException {
    LogReader.Cursor cursor = log.cursor();
    while (cursor.advance()) {
      LogRecord record = cursor.record();
      if (record.region().isPresent()) {
        copy(log, record, record.region().get(), writer);
        exported.accept(record.payloadSize());
      }
    }
  }

  private void copy(LogReader log, LogRecord record, Region region, BurstLogWriter writer)
      throws IOException {
    Variable variable = check.layout().spec().variables().get(region.variable());
    long position = 0;
    for (PutBoxes boxes : RegionBoxes.of(region)) {
      long first = position;
      writer.put(
          region.variable(),
          StagedPut.MemoryType.ofCells(variable.type()),
          boxes,
          (from, cells) -> log.read(record, first + from, cells));
      position += boxes.cellCount() * region.elementSize();
    }
  }
}
