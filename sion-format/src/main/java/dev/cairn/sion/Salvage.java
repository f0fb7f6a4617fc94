package dev.cairn.sion;

import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.FileBlockStore;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The doors to multifiles that were not closed, or of which files are missing: looking at what is
 * left, and making it whole again. {@link Multifile} stays strict.
 */
public final class Salvage {
  private Salvage() {}

  /** Opens what is left of a multifile on the machine's file system. The caller closes the view. */
  public static SalvageView open(Path path) throws IOException {
    return open(new FileBlockStore(), path, SearchWatch.upTo(SearchWatch.USUAL_LIMIT));
  }

  /**
   * Opens what is left of a multifile, which may also be all of it. In files that were not closed
   * it searches for the ends of the tasks, which takes time for zeros that nobody wrote. The caller
   * closes the view.
   *
   * @param path the name of the multifile, whose file 0 may be missing, or any physical file alone
   * @param watch hears how the search goes on, and ends it
   * @throws IOException if nothing is known of any file
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
    for (SalvagedFile file : view.files()) {
      if (file.condition() == SalvagedFile.Condition.LOST) {
        throw file.trouble().orElseThrow();
      }
    }
  }

  /**
   * Closes the files of a multifile that were not closed, in place. In each, META2 is written
   * behind everything that lies in the file, and made durable before META1 points to it; no other
   * byte is touched. After a crash it can be called again.
   *
   * @param view what was found of the multifile; still to be closed by its owner afterwards
   * @param lengths what counts of the tasks whose lengths are not known to the byte
   * @throws IOException if a file is missing or lost; then nothing was changed
   */
  public static void repair(BlockStore store, SalvageView view, Lengths lengths)
      throws IOException {
    requireEveryFile(view);
    new Repair(store, view, lengths).run();
  }
}
