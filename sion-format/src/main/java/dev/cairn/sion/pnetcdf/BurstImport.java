package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.log.LogForcePolicy;
import dev.cairn.sion.log.LogIdentity;
import dev.cairn.sion.log.LogSpec;
import dev.cairn.sion.log.LogWriter;
import dev.cairn.sion.netcdf.NetcdfReader;
import dev.cairn.sion.netcdf.NetcdfSpec;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Writes the puts of PnetCDF's logs as logs of our own, as cells of the NetCDF file for which they
 * were meant. A log that was whole is sealed; of a damaged one there are the puts before the
 * damage, and no seal. Puts without cells are left out. It uses the set that it is of. One thread
 * at a time.
 */
public final class BurstImport {
  private final BlockStore store;
  private final NetcdfSpec spec;
  private final BurstLogSet set;
  private long valueBytes;

  private BurstImport(BlockStore store, NetcdfSpec spec, BurstLogSet set) {
    this.store = store;
    this.spec = spec;
    this.set = set;
  }

  /**
   * Checks that {@code file} has the cells of all puts; nothing is written yet.
   *
   * @param file the NetCDF classic file for which the logs were written
   * @throws BurstLogException if a put is not for a file like this one
   */
  public static BurstImport open(BlockStore store, Path file, BurstLogSet set) throws IOException {
    try (NetcdfReader target = NetcdfReader.open(store, file)) {
      BurstImport made = new BurstImport(store, target.spec(), set);
      PutCheck check = new PutCheck(file, target.layout());
      new PutSequence(set.logs(), OverlapOrder.LAST)
          .forEach(
              (log, number, put) -> {
                check.require(PutTitle.of(log, number), put);
                made.valueBytes += put.dataSize();
              });
      return made;
    }
  }

  /** The bytes of all values in the logs of PnetCDF. */
  public long valueBytes() {
    return valueBytes;
  }

  /**
   * Writes a log for each rank of which there is one: into the directory in {@code directory},
   * which exists, that has the rank as its name. They are durable then. If it fails, what it has
   * made is deleted.
   *
   * @param imported called with the number of bytes of values taken since the last call
   * @return the puts that have values out of range, which became fill values
   * @throws BurstLogException if there is a file or directory of one of these names
   */
  public List<RangeLoss> run(Path directory, LongConsumer imported) throws IOException {
    List<BurstLog> logs = set.logs().stream().filter(log -> log.header().isPresent()).toList();
    for (BurstLog log : logs) {
      requireNew(place(directory, log));
    }
    RangeLosses losses = new RangeLosses();
    try {
      for (BurstLog log : logs) {
        store.makeDirectory(place(directory, log));
        write(log, place(directory, log), losses, imported);
      }
      store.forceDirectory(directory);
      return losses.list();
    } catch (IOException | RuntimeException | Error failure) {
      logs.forEach(log -> deleteAfter(failure, place(directory, log)));
      throw failure;
    }
  }

  private static Path place(Path directory, BurstLog log) {
    return directory.resolve(String.valueOf(log.rank()));
  }

  private void requireNew(Path place) throws IOException {
    if (store.exists(place)) {
      throw new BurstLogException(
          place, "it exists and is not overwritten: delete it, or choose another directory.");
    }
  }

  private void deleteAfter(Throwable failure, Path place) {
    try {
      if (store.exists(place)) {
        for (Path segment : store.list(place)) {
          store.delete(segment);
        }
        store.delete(place);
      }
    } catch (IOException | RuntimeException second) {
      failure.addSuppressed(second);
    }
  }

  private void write(BurstLog log, Path place, RangeLosses losses, LongConsumer imported)
      throws IOException {
    boolean isWhole = log.damage().isEmpty();
    MetaHeader header = log.header().orElseThrow();
    LogIdentity identity =
        new LogIdentity(new SecureRandom().nextLong(), 0, log.rank(), header.rankCount());
    // Without a seal only forced records are durable.
    LogForcePolicy policy = isWhole ? LogForcePolicy.ON_SEAL : LogForcePolicy.ON_RECORD;
    LogSpec made = LogSpec.of(identity).withForcePolicy(policy);
    try (LogWriter writer = LogWriter.create(store, place, made)) {
      writer.note(
          String.format(
              "cells for %s, from the log %s of PnetCDF", header.target(), log.name().meta()));
      for (int number = 0; number < log.putCount(); number++) {
        StagedPut put = log.put(number);
        int cellSize = spec.variables().get(put.variable()).type().size();
        ImportedPut target = new ImportedPut(writer, put, cellSize);
        new PutReplay(spec, losses, log, number, put).run(OverlapOrder.LAST, target);
        target.finish();
        imported.accept(put.dataSize());
      }
      if (isWhole) {
        writer.seal();
      }
    }
  }
}
