package dev.cairn.sion;

import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.FileBlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A multifile with copies ({@link MultifileSpec#withBuddyLevels}) that is read with their help
 * where it has lost or damaged files. {@link Multifile} reads the originals only, or one level of
 * copies by its own name. It owns the open files. The caller that opened it closes it.
 */
public final class BuddyView implements Closeable {
  private final GlobalView view;
  private final List<Replacement> replacements;

  BuddyView(GlobalView view, List<Replacement> replacements) {
    this.view = view;
    this.replacements = List.copyOf(replacements);
  }

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

  /** All tasks by their numbers, as in the multifile itself. Closed with this. */
  public GlobalView tasks() {
    return view;
  }

  /** The physical files that are read from a copy, in the order of their numbers. */
  public List<Replacement> replacements() {
    return replacements;
  }

  @Override
  public void close() throws IOException {
    view.close();
  }

  /**
   * A copy that stands for a physical file.
   *
   * @param fileNumber which one
   * @param copy what is read
   * @param trouble what is wrong with the original
   */
  public record Replacement(int fileNumber, Path copy, IOException trouble) {}
}
