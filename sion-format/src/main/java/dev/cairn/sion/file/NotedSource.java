package dev.cairn.sion.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A physical file that is read from notes. It opens the file, which it then owns, for bytes that
 * the notes lack.
 */
final class NotedSource implements FileSource {
  private final Path path;
  private final FileNotes notes;
  private final FileSource.Origin origin;
  private volatile @Nullable FileSource file;
  private boolean closed;

  NotedSource(Path path, FileNotes notes, FileSource.Origin origin) {
    this.path = path;
    this.notes = notes;
    this.origin = origin;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long size() {
    return notes.fileSize();
  }

  @Override
  public void readFully(long position, ByteBuffer target) throws IOException {
    if (!notes.answer(position, target)) {
      opened().readFully(position, target);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (file != null) {
      file.close();
    }
  }

  private FileSource opened() throws IOException {
    FileSource found = file;
    return found == null ? open() : found;
  }

  private synchronized FileSource open() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    FileSource found = file;
    if (found == null) {
      found = origin.open(path);
      file = found;
    }
    return found;
  }
}
