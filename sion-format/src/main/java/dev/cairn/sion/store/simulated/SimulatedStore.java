package dev.cairn.sion.store.simulated;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.BlockStore.Operation.Kind;
import dev.cairn.sion.store.checked.Arguments;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One host's view of a {@link SimulatedDisk}, until that host dies. */
final class SimulatedStore implements BlockStore {
  private final SimulatedDisk disk;
  private final String host;

  SimulatedStore(SimulatedDisk disk, String host) {
    this.disk = disk;
    this.host = host;
  }

  SimulatedDisk disk() {
    return disk;
  }

  String host() {
    return host;
  }

  @Override
  public BlockFile open(Path file, Access access) throws IOException {
    return query(
        on(Kind.OPEN, file),
        operation -> disk.opened(new SimulatedHandle(this, file, access, tree().file(file))));
  }

  @Override
  public BlockFile create(Path file) throws IOException {
    return query(
        on(Kind.CREATE, file),
        operation -> {
          SimulatedFile created = disk.newFile();
          link(operation, file, created);
          return disk.opened(new SimulatedHandle(this, file, Access.READ_WRITE, created));
        });
  }

  @Override
  public boolean exists(Path path) throws IOException {
    return query(on(Kind.EXISTS, path), operation -> tree().find(path).isPresent());
  }

  @Override
  public List<Path> list(Path directory) throws IOException {
    return query(
        on(Kind.LIST, directory),
        operation ->
            tree().directory(directory).entries().keySet().stream()
                .map(directory::resolve)
                .sorted()
                .toList());
  }

  @Override
  public void makeDirectory(Path directory) throws IOException {
    change(
        on(Kind.MAKE_DIRECTORY, directory),
        operation -> link(operation, directory, disk.newDirectory()));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Arguments.requireOneDirectory(from, to);
    change(on(Kind.RENAME, from), operation -> rename(operation, from, to));
  }

  @Override
  public void delete(Path path) throws IOException {
    change(
        on(Kind.DELETE, path),
        operation -> {
          if (tree().existing(path) instanceof SimulatedDirectory directory
              && !directory.entries().isEmpty()) {
            throw new DirectoryNotEmptyException(path.toString());
          }
          tree().parent(path).unlink(operation, SimulatedTree.name(path));
        });
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    change(
        on(Kind.FORCE_DIRECTORY, directory), operation -> tree().directory(directory).force(host));
  }

  @Override
  public long freeSpace(Path path) throws IOException {
    return query(
        on(Kind.FREE_SPACE, path),
        operation -> {
          tree().existing(path);
          return disk.space().freeBytes();
        });
  }

  @Override
  public BlockStore.BlockSize blockSize(Path path) throws IOException {
    return query(
        on(Kind.BLOCK_SIZE, path),
        operation -> {
          tree().existing(path);
          return new BlockStore.BlockSize(disk.settings().blockSizeBytes(), "the simulated disk");
        });
  }

  @Override
  public OptionalLong fileNumber(Path file) throws IOException {
    return query(
        on(Kind.FILE_NUMBER, file), operation -> OptionalLong.of(tree().file(file).number()));
  }

  /** The body of an operation without a result. */
  interface DiskChange {
    void run(SimulatedDisk.HostOperation operation) throws IOException;
  }

  <T> T query(BlockStore.Operation operation, SimulatedDisk.Query<T> query) throws IOException {
    return disk.perform(this, operation, query);
  }

  void change(BlockStore.Operation operation, DiskChange change) throws IOException {
    disk.perform(
        this,
        operation,
        numbered -> {
          change.run(numbered);
          return numbered;
        });
  }

  private SimulatedTree tree() {
    return disk.tree();
  }

  private void link(SimulatedDisk.HostOperation operation, Path path, SimulatedNode node)
      throws FileSystemException {
    if (tree().find(path).isPresent()) {
      throw new FileAlreadyExistsException(path.toString());
    }
    tree().parent(path).link(operation, SimulatedTree.name(path), node);
  }

  private void rename(SimulatedDisk.HostOperation operation, Path from, Path to)
      throws FileSystemException {
    SimulatedNode node = tree().existing(from);
    if (node instanceof SimulatedDirectory) {
      throw Arguments.directoryRename(from);
    }
    Optional<SimulatedNode> replaced = tree().find(to);
    if (replaced.isPresent() && replaced.get() instanceof SimulatedDirectory) {
      throw new FileSystemException(from.toString(), to.toString(), "the new name is a directory");
    }
    tree().parent(from).rename(operation, SimulatedTree.name(from), SimulatedTree.name(to), node);
  }

  private static BlockStore.Operation on(Kind kind, Path path) {
    return new BlockStore.Operation(kind, path, 0, 0);
  }
}
