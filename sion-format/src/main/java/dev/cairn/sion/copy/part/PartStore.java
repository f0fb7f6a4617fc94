package dev.cairn.sion.copy.part;

import dev.cairn.sion.ForcePolicy;
import dev.cairn.sion.layout.FileNames;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockSize;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The store in which a new multifile is written: on disk the names of its files end in {@code
 * .part} until all of it is durable. So a file with the multifile's own name is complete, even
 * after a crash. One thread at a time; it owns nothing.
 */
public final class PartStore implements BlockStore {
  private static final String SUFFIX = ".part";

  /** Last names that always denote directories. */
  private static final Set<String> DIRECTORIES = Set.of(".", "..");

  private final BlockStore store;
  private final Path multifile;
  private final int fileCount;
  private final ForcePolicy forcePolicy;

  public PartStore(BlockStore store, Path multifile, int fileCount, ForcePolicy forcePolicy) {
    this.store = store;
    this.multifile = multifile;
    this.fileCount = fileCount;
    this.forcePolicy = forcePolicy;
  }

  /** Refuses if an existing file would be replaced, or taken for one of the new files. */
  public void requireNothingThere() throws IOException {
    if (DIRECTORIES.contains(multifile.getFileName().toString())) {
      String reason = "it is a directory: end the name of a new multifile with that of a file";
      throw new FileSystemException(multifile.toString(), null, reason);
    }
    for (Path path : store.list(directory())) {
      if (isOfSet(path)) {
        throw new FileAlreadyExistsException(path.toString(), null, reason(path));
      }
    }
  }

  private static String reason(Path path) {
    String origin = isPart(path) ? " (an interrupted copy leaves such a file)" : "";
    return "it exists and is not overwritten" + origin + ": delete it, or choose another name";
  }

  /**
   * Gives the files, which are whole and durable, their names: durably, and file 0, without which
   * there is no multifile, last.
   */
  public void reveal() throws IOException {
    for (int fileNumber = fileCount - 1; fileNumber >= 0; fileNumber--) {
      if (fileNumber == 0) {
        forceNames();
      }
      Path file = FileNames.physical(multifile, fileNumber);
      store.rename(part(file), file);
    }
    forceNames();
  }

  /** Deletes the files written so far, because of {@code failure}. */
  public void discard(Exception failure) {
    for (int fileNumber = 0; fileNumber < fileCount; fileNumber++) {
      try {
        Path part = part(FileNames.physical(multifile, fileNumber));
        if (store.exists(part)) {
          store.delete(part);
        }
      } catch (IOException leftBehind) {
        failure.addSuppressed(leftBehind);
      }
    }
  }

  private void forceNames() throws IOException {
    if (forcePolicy == ForcePolicy.ON_CLOSE) {
      store.forceDirectory(directory());
    }
  }

  private Path directory() {
    Path parent = multifile.getParent();
    return parent == null ? Path.of("") : parent;
  }

  private static boolean isPart(Path path) {
    return path.toString().endsWith(SUFFIX);
  }

  private boolean isOfSet(Path path) {
    return isOurs(isPart(path) ? whole(path) : path);
  }

  private boolean isOurs(Path path) {
    Path name = path.getFileName();
    return name != null && FileNames.isOfSet(multifile.getFileName().toString(), name.toString());
  }

  /** The name that a part will have. */
  private static Path whole(Path part) {
    String name = part.getFileName().toString();
    return part.resolveSibling(name.substring(0, name.length() - SUFFIX.length()));
  }

  private static Path part(Path path) {
    return path.resolveSibling(path.getFileName() + SUFFIX);
  }

  /** The name on disk; it differs only for the multifile's own files. */
  private Path onDisk(Path path) {
    return isOurs(path) ? part(path) : path;
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

  @Override
  public OptionalLong fileNumber(Path file) throws IOException {
    return store.fileNumber(onDisk(file));
  }
}
