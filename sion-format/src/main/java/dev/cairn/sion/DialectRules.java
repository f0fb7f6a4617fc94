package dev.cairn.sion;

import dev.cairn.sion.layout.Placement;
import java.util.List;

/** The restrictions of each dialect. */
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
      case PARALLEL -> {
        requirePlainIfMerged(spec);
        requireOneGroupIfCopied(spec);
      }
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

  /** Records of several tasks that are merged call by call could not be separated again. */
  private static void requirePlainIfMerged(MultifileSpec spec) {
    if (spec.grouping().isMerged() && spec.content() == Content.RECORDS) {
      throw new IllegalArgumentException(
          spec.path() + ": merged groups hold plain bytes, not records: group without merging.");
    }
  }

  /** Blocks are copied one by one, so the tasks must have equal chunks in the copy. */
  private static void requireOneGroupIfCopied(MultifileSpec spec) {
    if (spec.buddyLevels() > 0 && !BuddyLayout.isOneGroup(spec.grouping())) {
      throw new IllegalArgumentException(
          spec.path()
              + ": in a multifile with buddies the tasks of a physical file are one group: leave"
              + " the grouping out.");
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
