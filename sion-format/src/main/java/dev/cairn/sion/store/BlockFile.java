package dev.cairn.sion.store;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * An open file: bytes at positions. It has no position of its own, so any number of threads may
 * share one.
 *
 * <p>Interrupting a thread before or inside a call neither closes the file for the others nor cuts
 * the call short; the thread's interrupt flag is still set afterwards. After {@link #close} every
 * call but {@link #path} and {@code close} throws {@link java.nio.channels.ClosedChannelException}.
 *
 * <p>On a file opened for {@link Access#READ}, {@link #write}, {@link #resize} and {@link #tryLock}
 * throw {@link java.nio.channels.NonWritableChannelException}. A negative position or size, or a
 * write that would end behind the largest {@code long}, is an {@link IllegalArgumentException}.
 */
public interface BlockFile extends PositionedOutput, Closeable {

  /** The name under which the file was opened. */
  @Override
  Path path();

  /**
   * Reads at least one byte into {@code target}, unless it is full already; may stop early.
   *
   * @return the number of bytes read, 0 only for a full {@code target}, or -1 at or behind the end
   *     of the file
   */
  int read(long position, ByteBuffer target) throws IOException;

  /** The size in bytes. */
  long size() throws IOException;

  /**
   * Truncates the file, or extends it by zero bytes. No other thread or process may write near the
   * old or the new end at the same time, since the operating system cannot do both atomically.
   */
  void resize(long size) throws IOException;

  /**
   * Makes durable this file's size and every byte written before by this process, through any
   * handle. It covers neither the file's name in its directory nor bytes that other hosts wrote.
   * When it fails, all that was written since the last success must be taken for lost: the
   * operating system may report such a failure only once, so a second call proves nothing.
   */
  void force() throws IOException;

  /**
   * Takes the operating system's exclusive lock on the file, which other processes and other
   * handles respect. It is held until this handle is closed or its process dies; opening and
   * closing other handles of the same file does not release it. A handle that holds the lock may
   * ask again.
   *
   * @return false when another handle or another process holds it
   */
  boolean tryLock() throws IOException;

  /** Closes this handle and releases its lock. Closing twice does nothing. */
  @Override
  void close() throws IOException;

  /**
   * Fills {@code target} from {@code position} on.
   *
   * @throws EOFException naming the file when it ends before
   */
  default void readFully(long position, ByteBuffer target) throws IOException {
    long next = position;
    while (target.hasRemaining()) {
      int count = read(next, target);
      if (count < 0) {
        throw new EOFException(
            String.format(
                "%s: wanted %d more bytes at byte %d, but the file ends at byte %d",
                path(), target.remaining(), next, size()));
      }
      next += count;
    }
  }
}
