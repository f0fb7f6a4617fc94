package dev.cairn.sion.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A physical file whose reading is noted. It owns the file. Belongs to one thread. */
final class NotingSource implements FileSource {
  private final FileSource file;
  private final FileNotes notes;

  NotingSource(FileSource file, FileNotes notes) {
    this.file = file;
    this.notes = notes;
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public long size() {
    return notes.fileSize();
  }

  @Override
  public void readFully(long position, ByteBuffer target) throws IOException {
    int start = target.position();
    file.readFully(position, target);
    notes.add(position, target.duplicate().limit(target.position()).position(start));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
