package dev.cairn.sion.store.simulated;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.BlockStore.Operation.Kind;
import dev.cairn.sion.store.checked.CheckedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A file of a {@link SimulatedDisk}, opened by one host. */
final class SimulatedHandle extends CheckedFile implements BlockFile {
  private final SimulatedStore store;
  private final SimulatedFile file;
  private final Access access;

  SimulatedHandle(SimulatedStore store, Path path, Access access, SimulatedFile file) {
    super(path);
    this.access = access;
    this.store = store;
    this.file = file;
  }

  @Override
  protected boolean isWritable() {
    return access == Access.READ_WRITE;
  }

  SimulatedStore store() {
    return store;
  }

  SimulatedFile file() {
    return file;
  }

  @Override
  protected int readSome(long position, ByteBuffer target) throws IOException {
    return store.query(
        at(Kind.READ, position, target.remaining()), operation -> file.read(position, target));
  }

  @Override
  protected void writeAll(long position, ByteBuffer source) throws IOException {
    store.change(
        at(Kind.WRITE, position, source.remaining()),
        operation -> file.write(operation, position, source, store.disk().space()));
  }

  @Override
  protected long currentSize() throws IOException {
    return store.query(at(Kind.SIZE, 0, 0), operation -> file.size());
  }

  @Override
  protected void changeSize(long size) throws IOException {
    store.change(at(Kind.RESIZE, size, 0), operation -> file.resize(operation, size));
  }

  @Override
  protected void forceContent() throws IOException {
    store.change(at(Kind.FORCE, 0, 0), operation -> file.force(operation.host()));
  }

  @Override
  protected boolean lockNow() throws IOException {
    String domain = store.disk().settings().lockReach().domainOf(store.host());
    return store.query(at(Kind.TRY_LOCK, 0, 0), operation -> file.tryLock(domain, this));
  }

  @Override
  protected void closeOnce() throws IOException {
    store.change(at(Kind.CLOSE, 0, 0), operation -> store.disk().release(this));
  }

  private BlockStore.Operation at(Kind kind, long position, long length) {
    return new BlockStore.Operation(kind, path(), position, length);
  }
}
