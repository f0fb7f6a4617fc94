package dev.cairn.sion.subfiles;

import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.DiskException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where the files of a set lie: beside the configuration, or, when none of its sub-files is there,
 * where the configuration says. Sub-files are never taken from both places, since a set that was
 * copied would then be mixed with its original.
 *
 * @param directory of the sub-files
 * @param names of the files
 * @param notes what is unusual about the names
 */
record Location(Path directory, SubFileNames names, List<String> notes) {

  static Location of(BlockStore store, Path path, SubFileConfig config) throws IOException {
    List<String> notes = new ArrayList<>();
    SubFileNames names = names(path, config, notes);
    Path beside = directoryOf(path);
    Path directory = beside;
    Optional<Path> recorded = absolute(config.subFileDirectory());
    if (recorded.isPresent()
        && !holdsAny(store, beside, names, config)
        && holdsAny(store, recorded.get(), names, config)) {
      directory = recorded.get();
      notes.add(
          String.format(
              "%s: its sub-files are not beside it, and were taken from %s, which it names.",
              path, directory));
    }
    return new Location(directory, names, List.copyOf(notes));
  }

  /** HDF5 takes the names of sub-files from that of the configuration, and not from its lines. */
  private static SubFileNames names(Path path, SubFileConfig config, List<String> notes) {
    SubFileNames listed = SubFileNames.ofSubFile(config.subFileNames().get(0)).orElseThrow();
    Optional<SubFileNames> own = SubFileNames.ofConfiguration(path.getFileName().toString());
    if (own.isEmpty()) {
      notes.add(
          String.format(
              "%s: HDF5 looks for a configuration named %s, and cannot open the set.",
              path, listed.configuration()));
    } else if (!own.get().equals(listed)) {
      notes.add(
          String.format(
              "%s: it lists sub-files such as %s, but sub-files are named after their"
                  + " configuration.",
              path, config.subFileNames().get(0)));
    }
    return own.orElse(listed);
  }

  static Path directoryOf(Path path) {
    Path parent = path.getParent();
    return parent == null ? Path.of("") : parent;
  }

  /** Refuses a new file for which there is no directory. */
  static void requireDirectory(BlockStore store, Path path) throws IOException {
    if (!store.exists(directoryOf(path))) {
      throw new SubFileException(path, "its directory does not exist. Make it first.");
    }
  }

  /** A relative path would depend on the directory in which a program was started. */
  private static Optional<Path> absolute(String recorded) {
    try {
      return Optional.of(Path.of(recorded)).filter(Path::isAbsolute);
    } catch (InvalidPathException impossible) {
      return Optional.empty();
    }
  }

  /** A recorded path can lead through files and into directories that this user may not see. */
  private static boolean isThere(BlockStore store, Path path) throws IOException {
    try {
      return store.exists(path);
    } catch (NotDirectoryException unreachable) {
      return false;
    } catch (DiskException failure) {
      if (failure.trouble() == DiskException.Trouble.DENIED) {
        return false;
      }
      throw failure;
    }
  }

  private static boolean holdsAny(
      BlockStore store, Path directory, SubFileNames names, SubFileConfig config)
      throws IOException {
    for (String name : names.subFiles(config.subFileCount())) {
      if (isThere(store, directory.resolve(name))) {
        return true;
      }
    }
    return false;
  }

  List<Path> subFiles(int count) {
    return names.subFiles(count).stream().map(directory::resolve).toList();
  }

  /** The stub beside the configuration, or else where the configuration says. */
  Optional<Path> stub(BlockStore store, Path path, SubFileConfig config) throws IOException {
    Path beside = directoryOf(path).resolve(names.stub());
    Optional<Path> recorded = absolute(config.hdf5File());
    if (isThere(store, beside)) {
      return Optional.of(beside);
    }
    // Far from the set, only the number says that a file is the stub of this set and no other.
    return recorded.isPresent() && isThere(store, recorded.get()) && hasInode(store, recorded.get())
        ? recorded
        : Optional.empty();
  }

  boolean hasInode(BlockStore store, Path stub) throws IOException {
    OptionalLong number = store.fileNumber(stub);
    return number.isPresent() && Long.toUnsignedString(number.getAsLong()).equals(names.inode());
  }
}
