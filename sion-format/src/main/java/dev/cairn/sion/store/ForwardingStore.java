package dev.cairn.sion.store;

import dev.cairn.sion.store.BlockStore.Operation.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * A store in front of another one. Every call, also those of the files opened here, passes {@link
 * #onOperation} before it is forwarded: counting, tracing or failing some of them takes a few
 * lines.
 *
 * <p>It owns nothing; any thread may call it, and thus the hook.
 */
public abstract class ForwardingStore implements BlockStore {
  private final BlockStore target;

  protected ForwardingStore(BlockStore target) {
    this.target = target;
  }

  /**
   * Called before each operation, in the calling thread. What it throws reaches the caller, an
   * {@link IOException} as one of the disk, and the operation does not take place; only a close
   * does, so that the file does not stay open.
   */
  protected abstract void onOperation(BlockStore.Operation operation) throws IOException;

  @Override
  public BlockFile open(Path file, Access access) throws IOException {
    announce(Kind.OPEN, file);
    return new ForwardingFile(target.open(file, access), this);
  }

  @Override
  public BlockFile create(Path file) throws IOException {
    announce(Kind.CREATE, file);
    return new ForwardingFile(target.create(file), this);
  }

  @Override
  public boolean exists(Path path) throws IOException {
    announce(Kind.EXISTS, path);
    return target.exists(path);
  }

  @Override
  public List<Path> list(Path directory) throws IOException {
    announce(Kind.LIST, directory);
    return target.list(directory);
  }

  @Override
  public void makeDirectory(Path directory) throws IOException {
    announce(Kind.MAKE_DIRECTORY, directory);
    target.makeDirectory(directory);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    announce(Kind.RENAME, from);
    target.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    announce(Kind.DELETE, path);
    target.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    announce(Kind.FORCE_DIRECTORY, directory);
    target.forceDirectory(directory);
  }

  @Override
  public long freeSpace(Path path) throws IOException {
    announce(Kind.FREE_SPACE, path);
    return target.freeSpace(path);
  }

  @Override
  public BlockStore.BlockSize blockSize(Path path) throws IOException {
    announce(Kind.BLOCK_SIZE, path);
    return target.blockSize(path);
  }

  @Override
  public OptionalLong fileNumber(Path file) throws IOException {
    announce(Kind.FILE_NUMBER, file);
    return target.fileNumber(file);
  }

  @Override
  public Path followed(Path path) throws IOException {
    return target.followed(path);
  }

  private void announce(Kind kind, Path path) throws IOException {
    announce(BlockStore.Operation.on(kind, path));
  }

  /** What the hook throws is explained as a failure of the disk would be. */
  void announce(BlockStore.Operation operation) throws IOException {
    SystemCall.of(
        operation.kind(),
        operation.path(),
        () -> {
          onOperation(operation);
          return operation;
        });
  }
}
