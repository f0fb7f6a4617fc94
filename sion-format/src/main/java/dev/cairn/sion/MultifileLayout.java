package dev.cairn.sion;

import dev.cairn.sion.format.FileHeader;
import dev.cairn.sion.layout.BlockGeometry;
import dev.cairn.sion.layout.Groups;
import dev.cairn.sion.layout.Placement;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where every task of a new multifile will lie: a pure plan, made from the requests of all tasks
 * before any file exists. Immutable; any thread may share one.
 */
public final class MultifileLayout {
  private final MultifileSpec spec;
  private final String prefix;
  private final Placement placement;
  private final FileLayout[] files;
  private final List<BuddyLayout> buddies;
  private final boolean grouped;

  MultifileLayout(
      MultifileSpec spec,
      String prefix,
      Placement placement,
      FileLayout[] files,
      List<BuddyLayout> buddies) {
    this.spec = spec;
    this.prefix = prefix;
    this.placement = placement;
    this.files = files;
    this.buddies = buddies;
    this.grouped = Arrays.stream(files).anyMatch(file -> file.groups().areShared());
  }

  /**
   * Lays out a multifile.
   *
   * @param wanted what to create; it must have a block size, see {@link MultifileSpec#resolve}
   * @param requests what each task asks for, by task number
   * @throws IllegalArgumentException if no C library could write such a file
   */
  public static MultifileLayout plan(MultifileSpec wanted, List<TaskRequest> requests) {
    MultifileSpec spec = BuddyLayout.grouped(wanted);
    if (requests.isEmpty()) {
      throw new IllegalArgumentException(spec.path() + ": a multifile has at least one task.");
    }
    if (spec.blockSize().isEmpty()) {
      throw new IllegalArgumentException(
          spec.path() + ": the spec has no block size: call resolve(store) first.");
    }
    Placement placement = spec.mapping().place(requests.size());
    requireTaskCounts(spec, placement);
    DialectRules.check(spec, placement, requests);
    FileLayout[] files = planFiles(spec, placement, requests);
    List<BuddyLayout> buddies = BuddyLayout.plan(spec, placement, requests);
    return new MultifileLayout(spec, spec.name(), placement, files, buddies);
  }

  private static FileLayout[] planFiles(
      MultifileSpec spec, Placement placement, List<TaskRequest> requests) {
    int[][] tasksByFile = placement.tasksByFile();
    FileLayout[] files = new FileLayout[tasksByFile.length];
    for (int file = 0; file < files.length; file++) {
      int[] tasks = tasksByFile[file];
      List<TaskRequest> asked = Arrays.stream(tasks).mapToObj(requests::get).toList();
      files[file] = planFile(spec, file, tasks, asked);
    }
    return files;
  }

  static FileLayout planFile(
      MultifileSpec spec, int file, int[] tasks, List<TaskRequest> requests) {
    try {
      return FileLayout.plan(spec, tasks, requests);
    } catch (ArithmeticException tooLarge) {
      throw new IllegalArgumentException(
          String.format(
              "%s: the chunks of file %d add up to more than 2^63 bytes: ask for smaller ones.",
              spec.path(), file),
          tooLarge);
    }
  }

  private static void requireTaskCounts(MultifileSpec spec, Placement placement) {
    for (int file = 0; file < placement.fileCount(); file++) {
      if (placement.taskCount(file) > FileHeader.MAX_TASK_COUNT) {
        throw new IllegalArgumentException(
            String.format(
                "%s: file %d would hold %d tasks, but a physical file holds at most %d: ask for"
                    + " more files.",
                spec.path(), file, placement.taskCount(file), FileHeader.MAX_TASK_COUNT));
      }
    }
  }

  /** The spec of the multifile. */
  public MultifileSpec spec() {
    return spec;
  }

  public int taskCount() {
    return placement.taskCount();
  }

  public int fileCount() {
    return files.length;
  }

  /** The path of a physical file. */
  public Path file(int fileNumber) {
    return spec.file(fileNumber);
  }

  /** The copies of this multifile, one for each level. */
  public List<BuddyLayout> buddies() {
    return buddies;
  }

  /** What one task must know to write. */
  public TaskSlot slot(int task) {
    int fileNumber = placement.file(task);
    int localRank = placement.localRank(task);
    FileLayout file = files[fileNumber];
    BlockGeometry geometry = file.geometry();
    return new TaskSlot(
        task,
        fileNumber,
        geometry.start(localRank),
        geometry.stride(),
        file.limit(localRank),
        spec.metaDataOrder(),
        grouped ? Optional.of(group(file, localRank)) : Optional.empty());
  }

  private TaskSlot.Group group(FileLayout file, int localRank) {
    Groups groups = file.groups();
    int group = groups.groupOf(localRank);
    int first = groups.first(group);
    int end = groups.first(group + 1);
    BlockGeometry geometry = file.geometry();
    long start = geometry.start(first);
    long size = geometry.start(end - 1) + geometry.chunkSize(end - 1) - start;
    return new TaskSlot.Group(file.task(first), end - first, start, size, mergedPieceSize());
  }

  private OptionalInt mergedPieceSize() {
    return spec.grouping().isMerged() ? spec.blockSize() : OptionalInt.empty();
  }

  /**
   * The name that META1 holds: without directories, so that it stays correct when the multifile is
   * moved.
   */
  String prefix() {
    return prefix;
  }

  FileLayout fileLayout(int fileNumber) {
    return files[fileNumber];
  }

  Placement placement() {
    return placement;
  }
}
