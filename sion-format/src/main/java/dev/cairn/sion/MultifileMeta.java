package dev.cairn.sion;

import dev.cairn.sion.file.FileSet;
import dev.cairn.sion.file.FileSource;
import dev.cairn.sion.file.MetaNotes;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The meta data of a whole multifile, for programs of several processes: one reads and checks them
 * and sends {@link #bytes} to the others, so that the files are not read once for each. Immutable;
 * any thread may share one.
 */
public final class MultifileMeta {
  private final Path path;
  private final ByteBuffer bytes;

  private MultifileMeta(Path path, ByteBuffer bytes) {
    this.path = path;
    this.bytes = bytes.asReadOnlyBuffer();
  }

  /** Reads the meta data of all physical files, as {@link Multifile#open} does. */
  public static MultifileMeta read(BlockStore store, Path path) throws IOException {
    MetaNotes notes = new MetaNotes(path);
    GlobalView.of(FileSet.open(notes.taken(FileSource.in(store)), path)).close();
    return new MultifileMeta(path, notes.bytes());
  }

  /** The meta data that another process of the same program has read and sent. */
  public static MultifileMeta of(Path path, ByteBuffer bytes) {
    return new MultifileMeta(path, bytes);
  }

  /** All of it as one payload, to be handed to {@link #of}. */
  public ByteBuffer bytes() {
    return bytes.duplicate();
  }

  /**
   * The multifile, for reading. A physical file is opened when data are read that do not lie near
   * its meta data. The caller closes the view.
   */
  public GlobalView open(BlockStore store) throws IOException {
    MetaNotes notes = MetaNotes.of(path, bytes);
    return GlobalView.of(FileSet.open(notes.replayed(FileSource.in(store)), path));
  }
}
