package dev.cairn.sion;

import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.FileBlockStore;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Opens multifiles with copies ({@link MultifileSpec#withBuddyLevels}) that have lost or damaged
 * files. {@link Multifile} reads the originals only, or one level of copies by its own name.
 */
public final class Buddies {
  private Buddies() {}

  /** Opens a multifile on the machine's file system. The caller closes the view. */
  public static BuddyView open(Path path) throws IOException {
    return open(new FileBlockStore(), path);
  }

  /**
   * Opens a multifile. Where a physical file is missing, was not closed, or contradicts itself, the
   * good copy of the lowest level replaces it. The same holds if the global ranks of one original
   * contradict those of the other files. Damage inside of the data is not detected. The caller
   * closes the view.
   *
   * @throws IOException the failure of the original, if no copy is good
   */
  public static BuddyView open(BlockStore store, Path path) throws IOException {
    return new BuddySearch(store, path).run();
  }
}
