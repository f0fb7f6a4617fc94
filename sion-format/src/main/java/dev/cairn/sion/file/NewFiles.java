package dev.cairn.sion.file;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;

/**
 * New files, whose names on disk end in {@code .part} until they are revealed. So a file with its
 * own name is whole, even after a crash. As a store it knows them by their own names, and lists no
 * others. Closed before they are kept, it deletes them all. One thread at a time.
 */
public final class NewFiles implements BlockStore, Closeable {
  private static final String SUFFIX = ".part";

  private final BlockStore store;

  /** The own names of all files, the newest first, and of those that are not revealed. */
  private final Deque<Path> made = new ArrayDeque<>();

  private final List<Path> hidden = new ArrayList<>();

  /** New files in {@code store}, which stays open. */
  public NewFiles(BlockStore store) {
    this.store = store;
  }

  /** The name of an unfinished file. */
  public static Path part(Path path) {
    return path.resolveSibling(path.getFileName() + SUFFIX);
  }

  public static boolean isPart(Path path) {
    return path.toString().endsWith(SUFFIX);
  }

  /** The name that an unfinished file will get. */
  public static Path whole(Path part) {
    String name = part.getFileName().toString();
    return part.resolveSibling(name.substring(0, name.length() - SUFFIX.length()));
  }

  /** Why no file is made where {@code path} is. */
  public static FileAlreadyExistsException existing(Path path) {
    String origin = isPart(path) ? " (an interrupted copy leaves such a file)" : "";
    return new FileAlreadyExistsException(
        path.toString(),
        null,
        "it exists and is not overwritten" + origin + ": delete it, or choose another name");
  }

  /** Creates a file that will be named {@code path}. The caller closes it. */
  @Override
  public BlockFile create(Path path) throws IOException {
    requireFree(path);
    try {
      BlockFile file = store.create(part(path));
      made.push(path);
      hidden.add(path);
      return file;
    } catch (FileAlreadyExistsException taken) {
      throw existing(part(path));
    }
  }

  private void requireFree(Path path) throws IOException {
    if (store.exists(path)) {
      throw existing(path);
    }
  }

  /** Gives a durable file its name, which is durable when its directory is forced. */
  public void reveal(Path path) throws IOException {
    requireFree(path);
    store.rename(part(path), path);
    hidden.remove(path);
  }

  /** From now on closing deletes nothing. */
  public void keep() {
    made.clear();
  }

  /** Deletes what was made, and goes on after a failure. */
  @Override
  public void close() throws IOException {
    List<Closeable> deletions = new ArrayList<>();
    made.forEach(path -> deletions.add(() -> store.delete(onDisk(path))));
    made.clear();
    CloseAll.close(deletions);
  }

  private Path onDisk(Path path) {
    return hidden.contains(path) ? part(path) : path;
  }

  @Override
  public BlockFile open(Path file, Access access) throws IOException {
    return store.open(onDisk(file), access);
  }

  @Override
  public boolean exists(Path path) throws IOException {
    return store.exists(onDisk(path));
  }

  @Override
  public List<Path> list(Path directory) {
    return List.copyOf(made);
  }

  @Override
  public void makeDirectory(Path directory) throws IOException {
    store.makeDirectory(directory);
  }

  @Override
  public void rename(Path from, Path to) {
    throw new UnsupportedOperationException("a new file gets no other name than its own");
  }

  @Override
  public void delete(Path path) throws IOException {
    store.delete(onDisk(path));
    hidden.remove(path);
    made.remove(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    store.forceDirectory(directory);
  }

  @Override
  public long freeSpace(Path path) throws IOException {
    return store.freeSpace(onDisk(path));
  }

  @Override
  public BlockStore.BlockSize blockSize(Path path) throws IOException {
    return store.blockSize(onDisk(path));
  }

  @Override
  public OptionalLong fileNumber(Path file) throws IOException {
    return store.fileNumber(onDisk(file));
  }
}
