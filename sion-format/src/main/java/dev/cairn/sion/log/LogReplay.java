package dev.cairn.sion.log;

import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Hands over the puts of all logs that belong together, in the order in which they take effect: for
 * each collective first the independent puts before it, of all ranks, then its own puts, of all
 * ranks; those of one rank in the order of the log. Cancelled puts are left out.
 *
 * <p>It ends with the last collective that all logs have, since what follows is incomplete. Only if
 * all logs are sealed after the same collective, the independent puts behind it follow.
 *
 * <p>It closes the logs that it opened. One thread at a time may use it. Only the log whose put is
 * handed over has an open file and a payload in memory.
 */
public final class LogReplay implements Closeable {
  private final List<LogReader> logs;

  private LogReplay(List<LogReader> logs) {
    this.logs = logs;
  }

  /** Takes puts in their order. */
  @FunctionalInterface
  public interface PutConsumer {
    /**
     * Takes a put, whose payload {@code log} reads.
     *
     * @param put its record
     */
    void accept(LogReader log, LogRecord put) throws IOException;
  }

  /**
   * Opens all logs that belong together, in any order. The caller closes the replay.
   *
   * @throws LogException.Damaged if one of them is damaged
   * @throws LogException.WrongSet if some are missing, or one belongs to others
   */
  public static LogReplay open(BlockStore store, List<Path> directories) throws IOException {
    List<LogReader> logs = new ArrayList<>();
    try {
      LogSet set = new LogSet(directories.size());
      for (Path directory : directories) {
        LogReader log = LogReader.open(store, directory);
        logs.add(log);
        set.add(directory, log);
        log.rest();
      }
    } catch (IOException | RuntimeException | Error failure) {
      logs.forEach(log -> log.closeAfter(failure));
      throw failure;
    }
    logs.sort(Comparator.comparingInt(LogReplay::rankOf));
    return new LogReplay(logs);
  }

  private static int rankOf(LogReader log) {
    return log.identity().map(LogIdentity::rank).orElse(Integer.MAX_VALUE);
  }

  /** The number of the last collective that all logs have, or 0. */
  public long lastCollective() {
    return logs.stream().mapToLong(LogReader::lastCollective).min().orElse(0);
  }

  /** Whether all logs are sealed after the same collective, so that nothing is left out. */
  public boolean isComplete() {
    long last = lastCollective();
    return logs.stream()
        .allMatch(log -> log.state() instanceof LogState.Sealed && log.lastCollective() == last);
  }

  /** Hands over all puts. Another run begins again. */
  public void run(PutConsumer consumer) throws IOException {
    List<RankReplay> ranks = logs.stream().map(log -> new RankReplay(log, consumer)).toList();
    long last = lastCollective();
    for (long collective = 1; collective <= last; collective++) {
      for (RankReplay rank : ranks) {
        rank.independentPuts();
      }
      for (RankReplay rank : ranks) {
        rank.collective();
      }
    }
    if (isComplete()) {
      for (RankReplay rank : ranks) {
        rank.independentPuts();
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (LogReader log : logs) {
      log.close();
    }
  }
}
