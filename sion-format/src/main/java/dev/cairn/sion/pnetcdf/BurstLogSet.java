package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The logs that the processes of a program left for one NetCDF file. It keeps at most two files
 * open, and sees the logs as they were when it was opened. One thread at a time may use it and its
 * logs.
 */
public final class BurstLogSet implements Closeable {
  private final LogWindow entries;
  private final LogWindow values;
  private final List<BurstLog> logs;
  private final SetCheck check;

  private BurstLogSet(LogWindow entries, LogWindow values, List<BurstLog> logs) {
    this.entries = entries;
    this.values = values;
    this.logs = logs;
    this.check = SetCheck.of(logs);
  }

  /**
   * Opens logs of the same program. The caller closes the set.
   *
   * <p>What does not fit is no failure: {@link #losses} and {@link #conflicts} tell of it.
   *
   * @throws IllegalArgumentException if there are no names, or they are of several programs
   */
  public static BurstLogSet open(BlockStore store, List<BurstLogName> names) throws IOException {
    if (names.stream().map(BurstLogName::program).distinct().count() != 1) {
      throw new IllegalArgumentException("a set has the logs of one program, not " + names + ".");
    }
    LogWindow entries = new LogWindow(store);
    LogWindow values = new LogWindow(store);
    try {
      PairReader reader = new PairReader(entries, values);
      List<BurstLog> logs = new ArrayList<>();
      for (BurstLogName name : names) {
        logs.addAll(reader.logs(name));
      }
      logs.sort(Comparator.comparingInt(BurstLog::rank));
      return new BurstLogSet(entries, values, List.copyOf(logs));
    } catch (IOException | RuntimeException | Error failure) {
      CloseAll.after(failure, entries, values);
      throw failure;
    }
  }

  /** The logs by rank; those of which nothing can be read are among them. */
  public List<BurstLog> logs() {
    return logs;
  }

  /** What the names of all logs begin with, and their directory. */
  public Path name() {
    BurstLogName first = logs.get(0).name();
    return first.directory().resolve(first.program());
  }

  /** Whether the logs of all processes are there, whole, and belong together. */
  public boolean isWhole() {
    return check.losses().isEmpty() && check.conflicts().isEmpty();
  }

  /** What is not there any more: a sentence for each damaged log, and one for all missing ranks. */
  public List<String> losses() {
    return check.losses();
  }

  /** Why the logs do not belong together, as sentences; empty if they do. */
  public List<String> conflicts() {
    return check.conflicts();
  }

  @Override
  public void close() throws IOException {
    try (entries) {
      values.close();
    }
  }
}
