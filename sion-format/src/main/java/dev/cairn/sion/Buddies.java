package dev.cairn.sion;

import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.FileBlockStore;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The door to multifiles with copies ({@link MultifileSpec#withBuddyLevels}) of which files are
 * lost or damaged. {@link Multifile} reads the originals only, or one level of copies by its own
 * name.
 */
public final class Buddies {
  private Buddies() {}

  /** Opens a multifile on the machine's file system. The caller closes the view. */
  public static BuddyView open(Path path) throws IOException {
    return open(new FileBlockStore(), path);
  }

  /**
   * Opens a multifile. Where a physical file is missing, was not closed, or contradicts itself, its
   * copy of the lowest level that does not is taken instead; so it is where one original's global
   * ranks do not fit to the other files'. Damage inside of the data shows in neither. The caller
   * closes the view.
   *
   * @throws IOException the original's trouble, if no copy is better
   */
  public static BuddyView open(BlockStore store, Path path) throws IOException {
    return new BuddySearch(store, path).run();
  }
}
