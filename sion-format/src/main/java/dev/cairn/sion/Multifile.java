package dev.cairn.sion;

import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.FileBlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * The doors to a multifile on disk: reading it whole or one task of it, the two ends of writing it
 * together, and copying it without its holes.
 *
 * <p>To write from one program use {@link MultifileWriter}. Tasks in several processes write like
 * this; how they talk to each other is not this library's business:
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
   * Makes the physical files, without data, and removes what is left of an older multifile of this
   * name: all files that bear the name of one of its members. To be called once, by one task.
   *
   * @throws IllegalArgumentException if a file has a member's name and is no multifile; then
   *     nothing was changed
   */
  public static void create(BlockStore store, MultifileLayout layout) throws IOException {
    new Creation(store, layout).run();
  }

  /**
   * Writes META2 and closes the multifile, so that it can be read. To be called once, by one task,
   * when all tasks have written (and, where the spec says {@link ForcePolicy#ON_CLOSE}, forced).
   *
   * @param usages what each task has written, by task number
   */
  public static void close(BlockStore store, MultifileLayout layout, List<TaskUsage> usages)
      throws IOException {
    new Closing(store, layout, usages).run();
  }

  /**
   * Copies a multifile into a new one in which every task has one chunk, as large as its stream:
   * without holes, but for those that {@code target}'s block size asks for. Streams, the order of
   * records and global ranks stay as they are. The new files get their names when all is written
   * and, if the spec says so, durable; a failure leaves none. To be called by one thread.
   *
   * @param source what to copy; all of its physical files
   * @param target what to create; with a block size, and with the content of {@code source}
   * @param copied is told now and then how many more bytes have been copied
   * @throws java.nio.file.FileAlreadyExistsException if a file of this name is there, or one that
   *     another copy has left unfinished; nothing is overwritten
   */
  public static void defragment(
      GlobalView source, BlockStore store, MultifileSpec target, LongConsumer copied)
      throws IOException {
    List<TaskView> tasks = IntStream.range(0, source.taskCount()).mapToObj(source::task).toList();
    new Defragmentation(tasks, store, target, copied).run();
  }

  /**
   * Prepares to append to a closed multifile. Every task goes on where it stands, and only {@link
   * #close(BlockStore, AppendLayout, List)} lets readers see what was appended; until then they see
   * the multifile as it was. What an append that was never closed has left is cut off. To be called
   * once, by one task; nobody else may write the multifile meanwhile.
   *
   * <p>To append from one program use {@link MultifileAppender}.
   *
   * @throws IllegalArgumentException if the multifile has buddies, which would become wrong
   */
  public static AppendLayout append(BlockStore store, Path path) throws IOException {
    return AppendLayout.read(store, path);
  }

  /**
   * Closes a multifile that was appended to. Each physical file changes from what it was to what it
   * is in one step: at any moment, also after a crash, its tasks are all as before or all as
   * appended. Files change one after the other, file 0 last; those in which nobody appended
   * anything stay untouched. To be called once, by one task, when all tasks have written and
   * forced.
   *
   * @param usages what each task has written from its very beginning, by task number
   */
  public static void close(BlockStore store, AppendLayout layout, List<TaskUsage> usages)
      throws IOException {
    new AppendClosing(store, layout, usages).run();
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
      return files.ownedTask(task);
    } catch (IOException | RuntimeException failure) {
      files.close();
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
      return files.ownedTask(files.taskOfGlobalRank(globalRank));
    } catch (IOException | RuntimeException failure) {
      files.close();
      throw failure;
    }
  }
}
