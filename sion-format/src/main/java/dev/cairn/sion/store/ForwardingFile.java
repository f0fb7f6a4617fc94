package dev.cairn.sion.store;

import dev.cairn.sion.store.BlockStore.Operation.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A file opened through a {@link ForwardingStore}. It owns the file behind it. */
final class ForwardingFile implements BlockFile {
  private final BlockFile target;
  private final ForwardingStore store;

  ForwardingFile(BlockFile target, ForwardingStore store) {
    this.target = target;
    this.store = store;
  }

  @Override
  public Path path() {
    return target.path();
  }

  @Override
  public int read(long position, ByteBuffer buffer) throws IOException {
    announce(Kind.READ, position, buffer.remaining());
    return target.read(position, buffer);
  }

  @Override
  public void write(long position, ByteBuffer buffer) throws IOException {
    announce(Kind.WRITE, position, buffer.remaining());
    target.write(position, buffer);
  }

  @Override
  public long size() throws IOException {
    announce(Kind.SIZE, 0, 0);
    return target.size();
  }

  @Override
  public void resize(long size) throws IOException {
    announce(Kind.RESIZE, size, 0);
    target.resize(size);
  }

  @Override
  public void force() throws IOException {
    announce(Kind.FORCE, 0, 0);
    target.force();
  }

  @Override
  public boolean tryLock() throws IOException {
    announce(Kind.TRY_LOCK, 0, 0);
    return target.tryLock();
  }

  @Override
  public void close() throws IOException {
    try {
      announce(Kind.CLOSE, 0, 0);
    } finally {
      target.close();
    }
  }

  private void announce(Kind kind, long position, long length) throws IOException {
    store.announce(new BlockStore.Operation(kind, path(), position, length));
  }
}
