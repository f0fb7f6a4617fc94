package dev.cairn.sion.store.checked;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The part of a file's contract that no implementation may forget: arguments, access and the closed
 * state are checked here, before the few methods that do the work.
 */
public abstract class CheckedFile {
  private final Path path;
  private final AtomicBoolean closed = new AtomicBoolean();

  protected CheckedFile(Path path) {
    this.path = path;
  }

  public final Path path() {
    return path;
  }

  public final int read(long position, ByteBuffer target) throws IOException {
    Arguments.requirePosition(position);
    requireOpen();
    return target.hasRemaining() ? readSome(position, target) : 0;
  }

  public final void write(long position, ByteBuffer source) throws IOException {
    Arguments.requireRange(position, source.remaining());
    requireWritable();
    if (source.hasRemaining()) {
      writeAll(position, source);
    }
  }

  public final long size() throws IOException {
    requireOpen();
    return currentSize();
  }

  public final void resize(long size) throws IOException {
    Arguments.requireSize(size);
    requireWritable();
    changeSize(size);
  }

  public final void force() throws IOException {
    requireOpen();
    forceContent();
  }

  public final boolean tryLock() throws IOException {
    requireWritable();
    return lockNow();
  }

  public final void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      closeOnce();
    }
  }

  protected abstract boolean isWritable();

  /** Reads at least one byte into {@code target}, which has room, or returns -1. */
  protected abstract int readSome(long position, ByteBuffer target) throws IOException;

  /** Writes all of {@code source}, which is not empty. */
  protected abstract void writeAll(long position, ByteBuffer source) throws IOException;

  protected abstract long currentSize() throws IOException;

  protected abstract void changeSize(long size) throws IOException;

  protected abstract void forceContent() throws IOException;

  protected abstract boolean lockNow() throws IOException;

  /** Called once at most. */
  protected abstract void closeOnce() throws IOException;

  private void requireOpen() throws ClosedChannelException {
    if (closed.get()) {
      throw new ClosedChannelException();
    }
  }

  private void requireWritable() throws ClosedChannelException {
    requireOpen();
    if (!isWritable()) {
      throw new NonWritableChannelException();
    }
  }
}
