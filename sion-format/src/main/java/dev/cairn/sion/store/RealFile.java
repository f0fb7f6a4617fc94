package dev.cairn.sion.store;

import dev.cairn.sion.store.BlockStore.Operation.Kind;
import dev.cairn.sion.store.checked.CheckedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A file of the operating system. It owns its descriptor. Any thread may call it. */
final class RealFile extends CheckedFile implements BlockFile {
  /**
   * The JDK copies a heap buffer into a direct one of the same length, which the thread then keeps.
   * Handing it over in pieces bounds that memory, also where many threads read and write.
   */
  private static final int HEAP_PIECE_BYTES = 1 << 18;

  private final Descriptor descriptor;
  private final AsynchronousFileChannel channel;

  RealFile(Path path, Descriptor descriptor) {
    super(path);
    this.descriptor = descriptor;
    this.channel = descriptor.channel();
  }

  @Override
  protected boolean isWritable() {
    return descriptor.access() == Access.READ_WRITE;
  }

  private interface SystemAction {
    void run() throws IOException;
  }

  @Override
  protected int readSome(long position, ByteBuffer target) throws IOException {
    // Linux refuses a range that ends behind the largest position, even one behind the file's end.
    long most = Long.MAX_VALUE - position;
    if (most == 0) {
      return -1;
    }
    ByteBuffer piece = firstPiece(target, most);
    int count = call(Kind.READ, 0, () -> await(channel.read(piece, position)));
    target.position(piece.position());
    return count;
  }

  @Override
  protected void writeAll(long position, ByteBuffer source) throws IOException {
    long next = position;
    while (source.hasRemaining()) {
      ByteBuffer piece = firstPiece(source, Long.MAX_VALUE);
      long start = next;
      next += call(Kind.WRITE, source.remaining(), () -> await(channel.write(piece, start)));
      source.position(piece.position());
    }
  }

  @Override
  protected long currentSize() throws IOException {
    return call(Kind.SIZE, 0, channel::size);
  }

  @Override
  protected void changeSize(long size) throws IOException {
    if (size > currentSize()) {
      // No channel of the JDK can grow a file but by writing to it.
      writeAll(size - 1, ByteBuffer.allocate(1));
    } else {
      call(Kind.RESIZE, 0, () -> channel.truncate(size));
    }
  }

  @Override
  protected void forceContent() throws IOException {
    run(Kind.FORCE, () -> channel.force(true));
  }

  @Override
  protected boolean lockNow() throws IOException {
    return call(Kind.TRY_LOCK, 0, () -> ProcessLocks.INSTANCE.tryLock(descriptor));
  }

  @Override
  protected void closeOnce() throws IOException {
    run(Kind.CLOSE, () -> ProcessLocks.INSTANCE.close(descriptor));
  }

  private void run(Kind kind, SystemAction action) throws IOException {
    call(
        kind,
        0,
        () -> {
          action.run();
          return channel;
        });
  }

  private <T> T call(Kind kind, long wantedBytes, SystemCall<T> systemCall) throws IOException {
    try {
      return systemCall.run();
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw DiskException.explained(kind, path(), e, wantedBytes, freeBytes(e));
    }
  }

  private long freeBytes(IOException failure) {
    try {
      return Files.getFileStore(path()).getUsableSpace();
    } catch (IOException e) {
      failure.addSuppressed(e);
      return -1;
    }
  }

  private static ByteBuffer firstPiece(ByteBuffer buffer, long most) {
    long bytes = Math.min(most, buffer.isDirect() ? Integer.MAX_VALUE : HEAP_PIECE_BYTES);
    return buffer.remaining() <= bytes
        ? buffer
        : buffer.duplicate().limit(buffer.position() + (int) bytes);
  }

  /** The result, which is there already; an interrupt while waiting for it would be kept. */
  private static int await(Future<Integer> result) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw asIOException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static IOException asIOException(@Nullable Throwable cause) {
    return cause instanceof IOException failure ? failure : new IOException(cause);
  }
}
