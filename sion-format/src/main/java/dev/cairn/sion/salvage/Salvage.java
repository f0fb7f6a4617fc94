package dev.cairn.sion.salvage;

import dev.cairn.sion.Multifile;
import dev.cairn.sion.TaskView;
import dev.cairn.sion.copy.Defragmentation;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.FileBlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Opens and repairs multifiles that were not closed or that lack files. {@link Multifile} refuses
 * such multifiles.
 */
public final class Salvage {
  private Salvage() {}

  /** Opens what is left of a multifile on the machine's file system. The caller closes the view. */
  public static SalvageView open(Path path) throws IOException {
    return open(new FileBlockStore(), path, SearchWatch.upTo(SearchWatch.USUAL_LIMIT));
  }

  /**
   * Opens what is left of a multifile, which may also be all of it. In unclosed files it searches
   * for the ends of the tasks, which takes long in large holes. The caller closes the view.
   *
   * @param path the name of the multifile, whose file 0 may be missing, or any physical file alone
   * @param watch observes the search, and can end it
   * @throws IOException if no file has a readable META1
   */
  public static SalvageView open(BlockStore store, Path path, SearchWatch watch)
      throws IOException {
    return new SalvageSearch(store, path, watch).run();
  }

  /**
   * Refuses a multifile that cannot be repaired, because a file is missing or lost.
   *
   * @throws IOException the trouble of the first such file
   */
  public static void requireEveryFile(SalvageView view) throws IOException {
    if (view.missingFileCount() > 0) {
      throw view.file(view.missingFiles().findFirst().getAsInt()).finding().trouble().orElseThrow();
    }
    for (SalvageView.SalvagedFile file : view.files()) {
      if (file.condition() == SalvageView.SalvagedFile.Condition.LOST) {
        throw file.trouble().orElseThrow();
      }
    }
  }

  /**
   * Closes the files of a multifile that were not closed, in place. In each, META2 is written
   * behind everything that lies in the file, and made durable before META1 points to it; no other
   * byte is touched. After a crash it can be called again.
   *
   * @param view the view of the multifile, which the caller still closes afterwards
   * @param lengths the bound that counts for tasks whose lengths are not known exactly
   * @throws IOException if a file is missing or lost; then nothing was changed
   */
  public static void repair(BlockStore store, SalvageView view, Lengths lengths)
      throws IOException {
    requireEveryFile(view);
    new Repair(store, view, lengths, file -> view.file(file).finding().path()).run();
  }

  /**
   * Makes a closed copy of a multifile, which may also be a good one. The copy gets its name when
   * all of it is durable; a failure leaves no file of it.
   *
   * @param lengths the bound that counts for tasks whose lengths are not known exactly
   * @param copied called from time to time with the number of bytes copied since the last call
   * @throws java.nio.file.FileAlreadyExistsException if a file of this name is there
   * @throws IOException if a file is missing or lost; then nothing was created
   */
  public static void repairInto(
      BlockStore store, SalvageView view, Lengths lengths, Path copy, LongConsumer copied)
      throws IOException {
    requireEveryFile(view);
    new RepairedCopy(store, view, lengths, copy, copied).run();
  }

  /**
   * Copies the tasks that can be read into a new multifile of one physical file, in which they are
   * tasks 0, 1, and so on, with the global ranks that they had. Other tasks are left out. The copy
   * gets its name when all of it is durable.
   *
   * @param lengths the bound that counts for tasks whose lengths are not known exactly
   * @param copied called from time to time with the number of bytes copied since the last call
   * @throws java.nio.file.FileAlreadyExistsException if a file of this name is there
   * @throws IllegalArgumentException if no task can be read
   */
  public static void extract(
      BlockStore store, SalvageView view, Lengths lengths, Path copy, LongConsumer copied)
      throws IOException {
    List<TaskView> tasks = new ArrayList<>();
    for (int task = 0; task < view.taskCount(); task++) {
      if (view.task(task).trouble().isEmpty()) {
        tasks.add(view.task(task).read(lengths));
      }
    }
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException(view.path() + ": none of its tasks can be read.");
    }
    Defragmentation.run(tasks, store, view.specAt(copy), copied);
  }

  /**
   * Observes the search through unclosed files, and limits it. Holes are read like data, since Java
   * has no call that locates them, so a search can take long. The thread that opens the view calls
   * this.
   */
  @FunctionalInterface
  public interface SearchWatch {
    /** The default limit, 1 TiB: some minutes if the file is mostly holes. */
    long USUAL_LIMIT = 1L << 40;

    /**
     * Called after {@code byteCount} more bytes were read.
     *
     * @throws IOException to end the search of the current file, which then counts as lost
     */
    void searched(long byteCount) throws IOException;

    /** Ends the search when more than {@code limit} bytes have been read. */
    static SearchWatch upTo(long limit) {
      AtomicLong total = new AtomicLong();
      return byteCount -> {
        if (total.addAndGet(byteCount) > limit) {
          throw new IOException(
              String.format(
                  "more than %d bytes were searched for the ends of tasks, most of them zeros."
                      + " Search further if the file is not just a hole.",
                  limit));
        }
      };
    }
  }

  /**
   * Which bound counts as the length of a task in an unclosed file. Both bounds are equal where the
   * bytes determine the length.
   */
  public enum Lengths {
    /**
     * The lower bound. It counts whole records; of plain bytes, those of each chunk up to the last
     * one that is not zero.
     */
    LEAST,

    /**
     * The upper bound. It also counts a last record that ends in zeros, which may never have been
     * written; of plain bytes, whole chunks up to the end of the file.
     */
    MOST
  }
}
