package dev.cairn.sion;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.file.FileSet;
import dev.cairn.sion.file.FileSource;
import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.FileBlockStore;
import dev.cairn.sion.store.PositionedOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Entry points for a multifile on disk: opening it or one of its tasks for reading, and creating
 * and closing it when several processes write it.
 *
 * <p>To write from one program use {@link MultifileWriter}. Tasks in several processes write like
 * this; communication between them is left to the program:
 *
 * <ol>
 *   <li>one task gathers all {@link TaskRequest}s, plans a {@link MultifileLayout}, calls {@link
 *       #create} and sends each task its {@link TaskSlot};
 *   <li>each task opens its physical file, writes through a {@link ChunkWriter} and, for a durable
 *       multifile, forces the file;
 *   <li>one task gathers all {@link TaskUsage}s and calls {@link #close}.
 * </ol>
 */
public final class Multifile {
  private Multifile() {}

  /**
   * Creates the physical files, without data, and removes an older multifile of this name: all
   * files with the name of one of its members. To be called once, by one task.
   *
   * @throws IllegalArgumentException if a file has a member's name and is no multifile; then
   *     nothing was changed
   */
  public static void create(BlockStore store, MultifileLayout layout) throws IOException {
    new Creation(store, layout).run((fileNumber, file) -> file.close());
  }

  /**
   * Writes META2 and closes the multifile, so that it can be read. To be called once, by one task,
   * when all tasks have written (and, where the spec says {@link ForcePolicy#ON_CLOSE}, forced).
   *
   * @param usages what each task has written, by task number
   */
  public static void close(BlockStore store, MultifileLayout layout, List<TaskUsage> usages)
      throws IOException {
    new Closing(layout, usages).run(store);
  }

  /**
   * Writes all meta data of one physical file to {@code file}, for a multifile whose files lie on
   * several hosts: each file then equals the one that {@link #create} and {@link #close} make. The
   * order of the writes promises nothing, so the caller must not rely on a file before all of them
   * are forced.
   *
   * @param usages what each task has written, by task number
   */
  public static void writeMeta(
      MultifileLayout layout, List<TaskUsage> usages, int fileNumber, PositionedOutput file)
      throws IOException {
    new NewFile(layout, fileNumber).writeHead(file::write);
    new Closing(layout, usages).writeEnd(fileNumber, file::write);
  }

  /** Opens a multifile on the machine's file system. The caller closes the view. */
  public static GlobalView open(Path path) throws IOException {
    return open(new FileBlockStore(), path);
  }

  /**
   * Opens a multifile with all its physical files. A physical file other than file 0 is opened
   * alone, with its own tasks only. The caller closes the view.
   */
  public static GlobalView open(BlockStore store, Path path) throws IOException {
    return GlobalView.of(FileSet.open(FileSource.in(store), path));
  }

  /** Opens one physical file, and shows its own tasks by local rank. The caller closes the view. */
  public static GlobalView openFile(BlockStore store, Path file) throws IOException {
    return GlobalView.of(FileSet.alone(FileSource.in(store), file));
  }

  /** Opens one task on the machine's file system. The caller closes the view. */
  public static TaskView openTask(Path path, int task) throws IOException {
    return openTask(new FileBlockStore(), path, task);
  }

  /**
   * Opens one task's stream, and beside file 0 only the physical file that holds it. The caller
   * closes the view.
   */
  public static TaskView openTask(BlockStore store, Path path, int task) throws IOException {
    FileSet files = FileSet.open(FileSource.in(store), path);
    try {
      return ownedTask(files, task);
    } catch (IOException | RuntimeException failure) {
      CloseAll.after(failure, files);
      throw failure;
    }
  }

  /** Opens one task on the machine's file system by its global rank. The caller closes the view. */
  public static TaskView openTaskOfGlobalRank(Path path, long globalRank) throws IOException {
    return openTaskOfGlobalRank(new FileBlockStore(), path, globalRank);
  }

  /**
   * Opens one task's stream by its global rank, for which the meta data of all physical files are
   * read. The caller closes the view.
   *
   * @throws IllegalArgumentException if no task has this global rank, or more than one
   */
  public static TaskView openTaskOfGlobalRank(BlockStore store, Path path, long globalRank)
      throws IOException {
    FileSet files = FileSet.open(FileSource.in(store), path);
    try {
      files.openAll();
      return ownedTask(files, files.taskOfGlobalRank(globalRank));
    } catch (IOException | RuntimeException failure) {
      CloseAll.after(failure, files);
      throw failure;
    }
  }

  /** The view of one task, which closes all of {@code files}. */
  private static TaskView ownedTask(FileSet files, int task) throws IOException {
    PhysicalFile file = files.openFileOf(task);
    return new StoredTask(task, file, files.localRank(task), files);
  }
}
