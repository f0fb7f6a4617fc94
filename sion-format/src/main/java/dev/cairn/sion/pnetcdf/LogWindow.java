package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.file.FileWindow;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Reads the streams in log files, of which a program can leave thousands. */
final class LogWindow extends FileWindow<LogStream> {
  static final int USUAL_SIZE = 1 << 14;

  LogWindow(BlockStore store) {
    super(store, USUAL_SIZE);
  }

  /** The size of a file; empty if there is none. */
  OptionalLong size(Path path) throws IOException {
    try {
      return OptionalLong.of(opened(path).size());
    } catch (NoSuchFileException missing) {
      return OptionalLong.empty();
    }
  }

  /**
   * The {@code count} bytes from {@code position} on, or those up to the end of the stream, until
   * the next call.
   */
  ByteBuffer bytes(LogStream stream, long position, int count) throws IOException {
    return window(stream, stream.size(), position, count);
  }

  /** Fills {@code target}; the stream is long enough. */
  @Override
  public void readFully(LogStream stream, long position, ByteBuffer target) throws IOException {
    BlockFile open = opened(stream.path());
    int end = target.limit();
    for (long next = position; target.position() < end; ) {
      long run = stream.sharing().runLength(next);
      int count = (int) Math.min(run, end - target.position());
      target.limit(target.position() + count);
      open.readFully(stream.sharing().fileOffset(next), target);
      target.limit(end);
      next += count;
    }
  }
}
