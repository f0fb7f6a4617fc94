package dev.cairn.sion.copy.part;

import dev.cairn.sion.ForcePolicy;
import dev.cairn.sion.file.NewFiles;
import dev.cairn.sion.layout.FileNames;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Set;

/**
 * The files of a multifile that get their names when all of it is durable. Closed before they are
 * revealed, it deletes them. One thread at a time.
 */
public final class NewMultifile implements Closeable {
  /** Last names that always denote directories. */
  private static final Set<String> DIRECTORIES = Set.of(".", "..");

  private final BlockStore store;
  private final NewFiles files;
  private final Path multifile;
  private final int fileCount;
  private final ForcePolicy forcePolicy;

  private NewMultifile(BlockStore store, Path multifile, int fileCount, ForcePolicy forcePolicy) {
    this.store = store;
    this.files = new NewFiles(store);
    this.multifile = multifile;
    this.fileCount = fileCount;
    this.forcePolicy = forcePolicy;
  }

  /** Refuses if an existing file would be replaced, or taken for one of the new files. */
  public static NewMultifile begin(
      BlockStore store, Path multifile, int fileCount, ForcePolicy forcePolicy) throws IOException {
    NewMultifile begun = new NewMultifile(store, multifile, fileCount, forcePolicy);
    begun.requireNothingThere();
    return begun;
  }

  private void requireNothingThere() throws IOException {
    String name = multifile.getFileName().toString();
    if (DIRECTORIES.contains(name)) {
      String reason = "it is a directory: end the name of a new multifile with that of a file";
      throw new FileSystemException(multifile.toString(), null, reason);
    }
    for (Path path : store.list(directory())) {
      Path own = NewFiles.isPart(path) ? NewFiles.whole(path) : path;
      if (FileNames.isOfSet(name, own.getFileName().toString())) {
        throw NewFiles.existing(path);
      }
    }
  }

  /** The store in which to write the multifile under its own name. */
  public BlockStore files() {
    return files;
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
      files.reveal(FileNames.physical(multifile, fileNumber));
    }
    forceNames();
    files.keep();
  }

  private void forceNames() throws IOException {
    if (forcePolicy == ForcePolicy.ON_CLOSE) {
      files.forceDirectory(directory());
    }
  }

  private Path directory() {
    Path parent = multifile.getParent();
    return parent == null ? Path.of("") : parent;
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
