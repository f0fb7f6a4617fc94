package dev.cairn.sion.cli;

import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.Path;

/** The directory into which a verb writes several files. */
final class NewDirectory {
  private NewDirectory() {}

  /** The directory {@code name}, which is made if it is missing. */
  static Path at(BlockStore store, String name) throws IOException {
    Path path = Path.of(name);
    if (!store.exists(path)) {
      store.makeDirectory(path);
    }
    return path;
  }
}
