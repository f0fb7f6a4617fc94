package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.ForwardingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A store for rehearsals: files are opened for reading only, and what is written is dropped. */
final class RehearsalStore extends ForwardingStore {
  RehearsalStore(BlockStore store) {
    super(store);
  }

  @Override
  protected void onOperation(BlockStore.Operation operation) {
    // Only what files do with writes differs.
  }

  @Override
  public BlockFile open(Path file, Access access) throws IOException {
    return new Unwritten(super.open(file, Access.READ));
  }

  private record Unwritten(BlockFile file) implements BlockFile {
    @Override
    public Path path() {
      return file.path();
    }

    @Override
    public int read(long position, ByteBuffer target) throws IOException {
      return file.read(position, target);
    }

    @Override
    public void write(long position, ByteBuffer source) {
      source.position(source.limit());
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void resize(long size) {
      // Nothing is written, so no room is needed.
    }

    @Override
    public void force() {
      // Nothing was written.
    }

    @Override
    public boolean tryLock() {
      return true;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
