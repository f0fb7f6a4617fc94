package dev.cairn.sion;

import dev.cairn.sion.format.FileHeader;
import dev.cairn.sion.layout.BlockGeometry;
import dev.cairn.sion.layout.Placement;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Where every task of a new multifile will lie: a pure plan, made from the requests of all tasks
 * before any file exists. Immutable; any thread may share one.
 */
public final class MultifileLayout {
  private final MultifileSpec spec;
  private final Placement placement;
  private final FileLayout[] files;

  private MultifileLayout(MultifileSpec spec, Placement placement, FileLayout[] files) {
    this.spec = spec;
    this.placement = placement;
    this.files = files;
  }

  /**
   * Lays out a multifile.
   *
   * @param spec what to create; it must have a block size, see {@link MultifileSpec#resolve}
   * @param requests what each task asks for, by task number
   * @throws IllegalArgumentException if no C library could write such a file
   */
  public static MultifileLayout plan(MultifileSpec spec, List<TaskRequest> requests) {
    if (requests.isEmpty()) {
      throw new IllegalArgumentException(spec.path() + ": a multifile has at least one task.");
    }
    Placement placement = spec.mapping().place(requests.size());
    requireSingleFileIfSerial(spec, placement);
    FileLayout[] files = new FileLayout[placement.fileCount()];
    int[][] tasksByFile = placement.tasksByFile();
    Arrays.setAll(files, file -> fileLayout(spec, file, tasksByFile[file], requests));
    return new MultifileLayout(spec, placement, files);
  }

  private static FileLayout fileLayout(
      MultifileSpec spec, int file, int[] tasks, List<TaskRequest> requests) {
    int blockSize =
        spec.blockSize()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        spec.path() + ": the spec has no block size: call resolve(store) first."));
    try {
      return FileLayout.independent(tasks, requests, blockSize);
    } catch (ArithmeticException tooLarge) {
      throw new IllegalArgumentException(
          String.format(
              "%s: the chunks of file %d add up to more than 2^63 bytes: ask for smaller ones.",
              spec.path(), file),
          tooLarge);
    }
  }

  private static void requireSingleFileIfSerial(MultifileSpec spec, Placement placement) {
    if (spec.dialect() == Dialect.SERIAL && placement.fileCount() > 1) {
      throw new IllegalArgumentException(
          String.format(
              "%s: a serial multifile is one physical file, not %d: use MultifileSpec.parallel.",
              spec.path(), placement.fileCount()));
    }
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

  /** What the multifile was asked to be. */
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

  /** What one task must know to write. */
  public TaskSlot slot(int task) {
    int fileNumber = placement.file(task);
    int localRank = placement.localRank(task);
    BlockGeometry geometry = files[fileNumber].geometry();
    return new TaskSlot(
        task,
        fileNumber,
        geometry.start(localRank),
        geometry.stride(),
        geometry.chunkSize(localRank));
  }

  FileLayout fileLayout(int fileNumber) {
    return files[fileNumber];
  }

  Placement placement() {
    return placement;
  }
}
