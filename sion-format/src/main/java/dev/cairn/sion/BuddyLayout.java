package dev.cairn.sion;

import dev.cairn.sion.layout.FileNames;
import dev.cairn.sion.layout.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The plan of one level of copies: a multifile of its own, which holds the same streams. The copy
 * of a physical file is written by the tasks of another one, its <em>keepers</em>, so that the loss
 * of one host's disk does not lose both. They stand in it as helpers, in front of the tasks and
 * without data. Immutable.
 */
public final class BuddyLayout {
  private static final Grouping ONE_GROUP = Grouping.ofAbout(Integer.MAX_VALUE);

  private final int level;
  private final MultifileLayout layout;

  /** The first task of each physical file. */
  private final int[] senders;

  private BuddyLayout(int level, MultifileLayout layout, int[] senders) {
    this.level = level;
    this.layout = layout;
    this.senders = senders;
  }

  /** All levels that a spec asks for. */
  static List<BuddyLayout> plan(
      MultifileSpec spec, Placement placement, List<TaskRequest> requests) {
    List<BuddyLayout> levels = new ArrayList<>();
    for (int level = 0; level < spec.buddyLevels(); level++) {
      requireKeepers(spec, placement.fileCount(), level);
      levels.add(planLevel(level, spec, placement, requests));
    }
    return List.copyOf(levels);
  }

  /** The spec of a multifile with buddies: the tasks of each physical file are one group. */
  static MultifileSpec grouped(MultifileSpec spec) {
    return spec.buddyLevels() > 0 && spec.grouping().isNone() ? spec.withGrouping(ONE_GROUP) : spec;
  }

  static boolean isOneGroup(Grouping grouping) {
    return grouping.equals(ONE_GROUP);
  }

  private static BuddyLayout planLevel(
      int level, MultifileSpec spec, Placement placement, List<TaskRequest> requests) {
    int[][] tasksByFile = placement.tasksByFile();
    int fileCount = tasksByFile.length;
    MultifileSpec copies =
        spec.at(FileNames.buddy(spec.path(), level))
            .withGrouping(ONE_GROUP)
            .withChunkLimit(MultifileSpec.ChunkLimit.STORED)
            .withBuddyLevels(0);
    FileLayout[] files = new FileLayout[fileCount];
    Arrays.setAll(
        files,
        file ->
            planCopy(
                copies,
                file,
                tasksByFile[keeper(file, level, fileCount)],
                tasksByFile[file],
                requests));
    Placement behindHelpers =
        placement.behind(file -> tasksByFile[keeper(file, level, fileCount)].length);
    int[] senders = new int[fileCount];
    Arrays.setAll(senders, file -> tasksByFile[file][0]);
    MultifileLayout layout =
        new MultifileLayout(copies, spec.name(), behindHelpers, files, List.of());
    return new BuddyLayout(level, layout, senders);
  }

  private static FileLayout planCopy(
      MultifileSpec spec, int file, int[] helpers, int[] tasks, List<TaskRequest> requests) {
    int[] all = new int[helpers.length + tasks.length];
    Arrays.fill(all, FileLayout.NO_TASK);
    System.arraycopy(tasks, 0, all, helpers.length, tasks.length);
    List<TaskRequest> asked =
        Stream.concat(
                Arrays.stream(helpers)
                    .mapToObj(task -> new TaskRequest(-requests.get(task).globalRank() - 1, 0)),
                Arrays.stream(tasks).mapToObj(requests::get))
            .toList();
    return MultifileLayout.planFile(spec, file, all, asked);
  }

  /** The file whose tasks keep the copy of {@code file}. */
  private static int keeper(int file, int level, int fileCount) {
    return Math.floorMod(file - (level + 1), fileCount);
  }

  /** Every file must have another one as its keeper, on each level another one. */
  private static void requireKeepers(MultifileSpec spec, int fileCount, int level) {
    int distance = level + 1;
    if (fileCount < 2 || greatestCommonDivisor(distance, fileCount) != 1) {
      throw new IllegalArgumentException(
          String.format(
              "%s: %d levels of buddies need a number of physical files that is at least 2 and has"
                  + " no factor in common with any number from 1 to %d, not %d: choose another"
                  + " number of files.",
              spec.path(), spec.buddyLevels(), spec.buddyLevels(), fileCount));
    }
  }

  private static int greatestCommonDivisor(int one, int other) {
    return other == 0 ? one : greatestCommonDivisor(other, one % other);
  }

  /** Counted from 0. */
  public int level() {
    return level;
  }

  /** The plan of the copies, which are created and closed like any other multifile. */
  public MultifileLayout layout() {
    return layout;
  }

  /** The task that sends what a physical file holds: its first. */
  public int sender(int fileNumber) {
    return senders[fileNumber];
  }

  /** The task that writes the copy of a physical file: the first of its keepers. */
  public int writer(int fileNumber) {
    return senders[keeper(fileNumber, level, senders.length)];
  }

  /** The physical file whose copy the tasks of {@code fileNumber} keep. */
  public int keptFile(int fileNumber) {
    return (fileNumber + level + 1) % senders.length;
  }
}
