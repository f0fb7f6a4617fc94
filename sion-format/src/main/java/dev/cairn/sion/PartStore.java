package dev.cairn.sion;

import dev.cairn.sion.layout.FileNames;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockSize;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;

/**
 * The store that a new multifile grows in: on disk the names of its files end in {@code .part}
 * until all of it is durable. So whatever bears the multifile's own name is whole, also after a
 * crash. One thread at a time; it owns nothing.
 */
final class PartStore implements BlockStore {
  private static final String SUFFIX = ".part";

  private final BlockStore store;
  private final MultifileLayout layout;

  PartStore(BlockStore store, MultifileLayout layout) {
    this.store = store;
    this.layout = layout;
  }

  /** Refuses whenever a file that is there already would be replaced, or taken for one of ours. */
  void requireNothingThere() throws IOException {
    for (Path path : store.list(layout.spec().directory())) {
      if (isOfSet(path)) {
        throw new FileAlreadyExistsException(
            path.toString(),
            null,
            "it exists and is not overwritten: delete it, or choose another name");
      }
    }
  }

  /**
   * Gives the files, which are whole and durable, their names: durably, and file 0, without which
   * there is no multifile, last.
   */
  void reveal() throws IOException {
    for (int fileNumber = layout.fileCount() - 1; fileNumber >= 0; fileNumber--) {
      if (fileNumber == 0) {
        forceNames();
      }
      store.rename(part(layout.file(fileNumber)), layout.file(fileNumber));
    }
    forceNames();
  }

  /** Takes away what has been written so far, because of {@code failure}. */
  void discard(Exception failure) {
    for (int fileNumber = 0; fileNumber < layout.fileCount(); fileNumber++) {
      try {
        Path part = part(layout.file(fileNumber));
        if (store.exists(part)) {
          store.delete(part);
        }
      } catch (IOException leftBehind) {
        failure.addSuppressed(leftBehind);
      }
    }
  }

  private void forceNames() throws IOException {
    if (layout.spec().forcePolicy() == ForcePolicy.ON_CLOSE) {
      store.forceDirectory(layout.spec().directory());
    }
  }

  private boolean isOfSet(Path path) {
    String name = path.getFileName().toString();
    String whole =
        name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    return FileNames.isOfSet(layout.spec().name(), whole);
  }

  private Path part(Path path) {
    return path.resolveSibling(path.getFileName() + SUFFIX);
  }

  /** What stands on disk for a name: only the multifile's own files have another one. */
  private Path onDisk(Path path) {
    Path name = path.getFileName();
    boolean ours = name != null && FileNames.isOfSet(layout.spec().name(), name.toString());
    return ours ? part(path) : path;
  }

  @Override
  public BlockFile open(Path file, Access access) throws IOException {
    return store.open(onDisk(file), access);
  }

  @Override
  public BlockFile create(Path file) throws IOException {
    return store.create(onDisk(file));
  }

  @Override
  public boolean exists(Path path) throws IOException {
    return store.exists(onDisk(path));
  }

  @Override
  public List<Path> list(Path directory) throws IOException {
    return store.list(directory);
  }

  @Override
  public void makeDirectory(Path directory) throws IOException {
    store.makeDirectory(directory);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    store.rename(onDisk(from), onDisk(to));
  }

  @Override
  public void delete(Path path) throws IOException {
    store.delete(onDisk(path));
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
  public BlockSize blockSize(Path path) throws IOException {
    return store.blockSize(onDisk(path));
  }
}
