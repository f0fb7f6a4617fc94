package dev.cairn.sion.cli;

import dev.cairn.command.JsonWriter;
import dev.cairn.command.Progress;
import dev.cairn.command.Shell;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.pnetcdf.BurstLog;
import dev.cairn.sion.pnetcdf.BurstLogName;
import dev.cairn.sion.pnetcdf.BurstLogSet;
import dev.cairn.sion.pnetcdf.StagedPut;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The logs of PnetCDF that one program has left for one NetCDF file. */
final class BurstLogs implements Inspection {
  private static final int WINDOW_SIZE = 1 << 20;

  private final BurstLogSet set;

  BurstLogs(BlockStore store, List<BurstLogName> names) throws IOException {
    this.set = BurstLogSet.open(store, names);
  }

  @Override
  public void printText(TextOutput out) throws IOException {
    new BurstLogText(out).print(set);
  }

  @Override
  public void printJson(JsonWriter json) throws IOException {
    new BurstLogJson(json).print(set);
  }

  @Override
  public boolean isWhole() {
    return set.isWhole();
  }

  @Override
  public Optional<String> verify(Shell<BlockStore> shell) throws IOException {
    set.losses().forEach(loss -> Failures.complain(shell, loss));
    set.conflicts().forEach(conflict -> Failures.complain(shell, conflict));
    if (!isWhole()) {
      return Optional.empty();
    }
    long puts = set.logs().stream().mapToLong(BurstLog::putCount).sum();
    long bytes = set.logs().stream().mapToLong(BurstLog::dataSize).sum();
    try (Progress progress = new Progress(shell, "verify " + set.name(), bytes)) {
      readAll(ByteBuffer.allocate((int) Math.min(WINDOW_SIZE, bytes)), progress);
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%s: good; processes %d, puts %d, bytes %d",
            set.name(),
            set.logs().size(),
            puts,
            bytes));
  }

  private void readAll(ByteBuffer window, Progress progress) throws IOException {
    for (BurstLog log : set.logs()) {
      for (int number = 0; number < log.putCount(); number++) {
        StagedPut put = log.put(number);
        Windows.read(put.dataSize(), window, progress, next -> log.read(put, next, window));
      }
    }
  }

  @Override
  public void close() throws IOException {
    set.close();
  }
}
