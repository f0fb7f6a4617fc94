package dev.cairn.sion.log;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that some logs are whole, belong together, and are all of those that do. */
final class LogSet {
  private final int logCount;
  private final Map<Integer, Path> directoryByRank = new HashMap<>();
  private @Nullable LogIdentity first;

  LogSet(int logCount) {
    this.logCount = logCount;
  }

  /** A log without a head has no rank and no records; its writer was stopped at its first byte. */
  void add(Path directory, LogReader log) throws LogException {
    if (log.state() instanceof LogState.Damaged damaged) {
      throw new LogException.Damaged(damaged.at());
    }
    LogIdentity identity = log.identity().orElse(null);
    if (identity == null) {
      return;
    }
    requireCount(directory, identity);
    LogIdentity known = first == null ? identity : first;
    first = known;
    if (identity.generation() != known.generation() || identity.rankCount() != known.rankCount()) {
      throw new LogException.WrongSet(
          directory,
          String.format(
              "this log has generation %d of %d ranks, but others have generation %d of %d. Replay"
                  + " only logs that belong together.",
              identity.generation(), identity.rankCount(), known.generation(), known.rankCount()));
    }
    Path other = directoryByRank.putIfAbsent(identity.rank(), directory);
    if (other != null) {
      throw new LogException.WrongSet(
          directory,
          String.format(
              "this is the log of rank %d, but so is %s. Leave one of them out.",
              identity.rank(), other));
    }
  }

  private void requireCount(Path directory, LogIdentity identity) throws LogException {
    if (identity.rankCount() != logCount) {
      throw new LogException.WrongSet(
          directory,
          String.format(
              "this is one of %d logs that belong together, but there are %d. Bring the logs of all"
                  + " ranks, and no others.",
              identity.rankCount(), logCount));
    }
  }
}
