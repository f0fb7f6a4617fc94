package dev.cairn.sion.cli;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file that a verb writes from front to back. What was in it before is gone, as with any other
 * command that writes a file; only a multifile is never overwritten, since it may be the very one
 * that is being read.
 */
final class OutputFile implements Closeable {
  private static final byte[] MAGIC = "sion".getBytes(StandardCharsets.US_ASCII);
  private static final int GATHERED_BYTES = 1 << 16;

  private final BlockFile file;

  /** Small pieces, such as tasks of a few bytes, which are written together. */
  private final ByteBuffer gathered = ByteBuffer.allocateDirect(GATHERED_BYTES);

  private long position;

  private OutputFile(BlockFile file) {
    this.file = file;
  }

  /** Puts the bytes into a file that {@link #write(BlockStore, Path, Writing)} has opened. */
  interface Writing {
    void writeTo(StreamCopy.Target target) throws IOException;
  }

  /** Writes a whole file. A failure half-way says which file it leaves incomplete. */
  static void write(BlockStore store, Path path, Writing writing) throws IOException {
    OutputFile output = new OutputFile(openEmpty(store, path));
    try (output) {
      writing.writeTo(output::append);
    } catch (IOException failure) {
      throw new Refusal(path + " is incomplete: " + Failures.sentence(failure), failure);
    }
  }

  private static BlockFile openEmpty(BlockStore store, Path path) throws IOException {
    try {
      return store.exists(path) ? emptied(store.open(path, Access.READ_WRITE)) : store.create(path);
    } catch (NoSuchFileException missing) {
      throw new Refusal(path + ": its directory does not exist. Make it first.", missing);
    }
  }

  private static BlockFile emptied(BlockFile file) throws IOException {
    try {
      requireNoMultifile(file);
      file.resize(0);
      return file;
    } catch (IOException | RuntimeException failure) {
      file.close();
      throw failure;
    }
  }

  private static void requireNoMultifile(BlockFile file) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(MAGIC.length);
    if (file.size() < start.capacity()) {
      return;
    }
    file.readFully(0, start);
    if (start.flip().equals(ByteBuffer.wrap(MAGIC))) {
      throw new Refusal(
          file.path() + " is a multifile and not overwritten. Delete it or choose another name.");
    }
  }

  private void append(ByteBuffer bytes) throws IOException {
    if (bytes.remaining() > gathered.remaining()) {
      writeGathered();
    }
    if (bytes.remaining() > gathered.remaining()) {
      write(bytes);
    } else {
      gathered.put(bytes);
    }
  }

  /** Also after a failure: what came before it is written. */
  @Override
  public void close() throws IOException {
    try (file) {
      writeGathered();
    }
  }

  private void writeGathered() throws IOException {
    write(gathered.flip());
    gathered.clear();
  }

  private void write(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    file.write(position, bytes);
    position += length;
  }
}
