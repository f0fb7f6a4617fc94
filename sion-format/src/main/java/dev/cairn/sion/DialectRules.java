package dev.cairn.sion;

import dev.cairn.sion.layout.Placement;
import java.util.List;

/** What one dialect can say and another cannot. */
final class DialectRules {
  private DialectRules() {}

  /**
   * @throws IllegalArgumentException if no call of the C library's writes what {@code spec} wants
   */
  static void check(MultifileSpec spec, Placement placement, List<TaskRequest> requests) {
    switch (spec.dialect()) {
      case SERIAL -> {
        requireOneFile(spec, placement);
        requireAlone(spec, "serial");
      }
      case PARALLEL -> requireCopiesOfStreams(spec);
      case MAPPED -> {
        requireAlone(spec, "mapped");
        requireRanksAreNumbers(spec, requests);
      }
    }
  }

  private static void requireOneFile(MultifileSpec spec, Placement placement) {
    if (placement.fileCount() > 1) {
      throw new IllegalArgumentException(
          String.format(
              "%s: a serial multifile is one physical file, not %d: use MultifileSpec.parallel.",
              spec.path(), placement.fileCount()));
    }
  }

  private static void requireAlone(MultifileSpec spec, String dialect) {
    if (!spec.grouping().isNone() || spec.buddyLevels() > 0) {
      throw new IllegalArgumentException(
          String.format(
              "%s: the tasks of a %s multifile share no blocks and have no buddies: use"
                  + " MultifileSpec.parallel.",
              spec.path(), dialect));
    }
  }

  private static void requireCopiesOfStreams(MultifileSpec spec) {
    if (spec.grouping().isMerged() && spec.buddyLevels() > 0) {
      throw new IllegalArgumentException(
          spec.path()
              + ": buddies copy the streams of tasks, and merged tasks have none of their own:"
              + " leave out one of the two.");
    }
  }

  /** The mapping of such a file is by global rank. */
  private static void requireRanksAreNumbers(MultifileSpec spec, List<TaskRequest> requests) {
    for (int task = 0; task < requests.size(); task++) {
      if (requests.get(task).globalRank() != task) {
        throw new IllegalArgumentException(
            String.format(
                "%s: task %d has the global rank %d, but in a mapped multifile both are one number"
                    + " from 0 to %d.",
                spec.path(), task, requests.get(task).globalRank(), requests.size() - 1));
      }
    }
  }
}
