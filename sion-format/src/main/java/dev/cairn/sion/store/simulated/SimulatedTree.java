package dev.cairn.sion.store.simulated;

import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;

/** The names of a {@link SimulatedDisk}. Relative paths start at its root. */
final class SimulatedTree {
  private static final Path ROOT = Path.of("/");

  private final SimulatedDirectory root;

  SimulatedTree(SimulatedDirectory root) {
    this.root = root;
  }

  SimulatedDirectory root() {
    return root;
  }

  Optional<SimulatedNode> find(Path path) throws NotDirectoryException {
    SimulatedNode node = root;
    for (Path name : absolute(path)) {
      if (!(node instanceof SimulatedDirectory directory)) {
        throw new NotDirectoryException(path.toString());
      }
      Optional<SimulatedNode> next = directory.find(name.toString());
      if (next.isEmpty()) {
        return next;
      }
      node = next.get();
    }
    return Optional.of(node);
  }

  SimulatedNode existing(Path path) throws FileSystemException {
    return find(path).orElseThrow(() -> new NoSuchFileException(path.toString()));
  }

  SimulatedFile file(Path path) throws FileSystemException {
    if (existing(path) instanceof SimulatedFile file) {
      return file;
    }
    throw new FileSystemException(path.toString(), null, "is a directory, not a file");
  }

  SimulatedDirectory directory(Path path) throws FileSystemException {
    if (existing(path) instanceof SimulatedDirectory directory) {
      return directory;
    }
    throw new NotDirectoryException(path.toString());
  }

  /** The directory that holds, or is to hold, this name. */
  SimulatedDirectory parent(Path path) throws FileSystemException {
    Path parent = absolute(path).getParent();
    if (parent == null) {
      throw new FileSystemException(path.toString(), null, "is the root of the simulated disk");
    }
    if (find(parent).orElseThrow(() -> new NoSuchFileException(path.toString()))
        instanceof SimulatedDirectory directory) {
      return directory;
    }
    throw new NotDirectoryException(path.toString());
  }

  static String name(Path path) {
    return absolute(path).getFileName().toString();
  }

  /** Every file that has a name, once. */
  Set<SimulatedFile> files() {
    Set<SimulatedFile> files = Collections.newSetFromMap(new IdentityHashMap<>());
    collect(root, files);
    return files;
  }

  private static void collect(SimulatedDirectory directory, Set<SimulatedFile> files) {
    for (SimulatedNode node : directory.entries().values()) {
      if (node instanceof SimulatedFile file) {
        files.add(file);
      } else if (node instanceof SimulatedDirectory inner) {
        collect(inner, files);
      }
    }
  }

  private static Path absolute(Path path) {
    return ROOT.resolve(path).normalize();
  }
}
