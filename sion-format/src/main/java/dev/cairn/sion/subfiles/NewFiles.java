package dev.cairn.sion.subfiles;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * Files that are written under names that end in {@code .part}, and get their own names when they
 * are durable. Closed before they are kept, it deletes them all. One thread at a time.
 */
final class NewFiles implements Closeable {
  private static final String SUFFIX = ".part";

  private final BlockStore store;

  /** What to delete, the newest first. */
  private final Deque<Path> made = new ArrayDeque<>();

  NewFiles(BlockStore store) {
    this.store = store;
  }

  /** Creates a file that will be named {@code path}. The caller closes it. */
  BlockFile create(Path path) throws IOException {
    requireFree(path, "");
    try {
      BlockFile file = store.create(part(path));
      made.push(part(path));
      return file;
    } catch (FileAlreadyExistsException taken) {
      throw existing(part(path), " (an interrupted copy leaves such a file)");
    } catch (NoSuchFileException missing) {
      throw new SubFileException(path, "its directory does not exist. Make it first.");
    }
  }

  /** The inode of a file, which it keeps when it gets its name. */
  OptionalLong fileNumber(Path path) throws IOException {
    return store.fileNumber(part(path));
  }

  void requireFree(Path path, String origin) throws IOException {
    if (store.exists(path)) {
      throw existing(path, origin);
    }
  }

  private static FileAlreadyExistsException existing(Path path, String origin) {
    return new FileAlreadyExistsException(
        path.toString(),
        null,
        "it exists and is not overwritten" + origin + ": delete it, or choose another name");
  }

  /** Gives a durable file its name, which is durable after {@link #forceDirectory}. */
  void reveal(Path path) throws IOException {
    requireFree(path, "");
    store.rename(part(path), path);
    made.remove(part(path));
    made.push(path);
  }

  void forceDirectory(Path path) throws IOException {
    store.forceDirectory(Location.directoryOf(path));
  }

  /** From now on closing deletes nothing. */
  void keep() {
    made.clear();
  }

  /** Deletes what was made, and goes on after a failure. */
  @Override
  public void close() throws IOException {
    CloseAll.close(made.stream().<Closeable>map(path -> () -> store.delete(path)).toList());
    made.clear();
  }

  /** The name of an unfinished file. */
  static Path part(Path path) {
    return path.resolveSibling(path.getFileName() + SUFFIX);
  }

  static boolean isPart(Path path) {
    return path.toString().endsWith(SUFFIX);
  }

  /** The last name that an unfinished file will get. */
  static String ownName(Path part) {
    String name = part.getFileName().toString();
    return name.substring(0, name.length() - SUFFIX.length());
  }
}
