package dev.cairn.sion.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The part of {@link BlockFile}'s contract that no implementation may forget: arguments, access and
 * the closed state are checked here, before the few methods that do the work.
 */
abstract class CheckedFile implements BlockFile {
  private final Path path;
  private final Access access;
  private final AtomicBoolean closed = new AtomicBoolean();

  CheckedFile(Path path, Access access) {
    this.path = path;
    this.access = access;
  }

  @Override
  public final Path path() {
    return path;
  }

  final Access access() {
    return access;
  }

  @Override
  public final int read(long position, ByteBuffer target) throws IOException {
    Arguments.requirePosition(position);
    requireOpen();
    return target.hasRemaining() ? readSome(position, target) : 0;
  }

  @Override
  public final void write(long position, ByteBuffer source) throws IOException {
    Arguments.requireRange(position, source.remaining());
    requireWritable();
    if (source.hasRemaining()) {
      writeAll(position, source);
    }
  }

  @Override
  public final long size() throws IOException {
    requireOpen();
    return currentSize();
  }

  @Override
  public final void resize(long size) throws IOException {
    Arguments.requireSize(size);
    requireWritable();
    changeSize(size);
  }

  @Override
  public final void force() throws IOException {
    requireOpen();
    forceContent();
  }

  @Override
  public final boolean tryLock() throws IOException {
    requireWritable();
    return lockNow();
  }

  @Override
  public final void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      closeOnce();
    }
  }

  /** Reads at least one byte into {@code target}, which has room, or returns -1. */
  abstract int readSome(long position, ByteBuffer target) throws IOException;

  /** Writes all of {@code source}, which is not empty. */
  abstract void writeAll(long position, ByteBuffer source) throws IOException;

  abstract long currentSize() throws IOException;

  abstract void changeSize(long size) throws IOException;

  abstract void forceContent() throws IOException;

  abstract boolean lockNow() throws IOException;

  /** Called once at most. */
  abstract void closeOnce() throws IOException;

  private void requireOpen() throws ClosedChannelException {
    if (closed.get()) {
      throw new ClosedChannelException();
    }
  }

  private void requireWritable() throws ClosedChannelException {
    requireOpen();
    if (access == Access.READ) {
      throw new NonWritableChannelException();
    }
  }
}
