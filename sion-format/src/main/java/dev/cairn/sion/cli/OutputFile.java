package dev.cairn.sion.cli;

import dev.cairn.command.Refusal;
import dev.cairn.sion.layout.FileNames;
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

  /** Puts the bytes into a file that {@link #write(BlockStore, Path, Path, Writing)} has opened. */
  interface Writing {
    void writeTo(StreamCopy.Target target) throws IOException;
  }

  /**
   * Writes a whole file, which comes from the multifile {@code input}. A failure half-way says
   * which file it leaves incomplete.
   */
  static void write(BlockStore store, Path input, Path path, Writing writing) throws IOException {
    OutputFile output = new OutputFile(openEmpty(store, input, path));
    try (output) {
      writing.writeTo(output::append);
    } catch (IOException failure) {
      throw new Refusal(path + " is incomplete: " + Failures.sentence(failure), failure);
    }
  }

  /**
   * Refuses an output that is a file of the multifile {@code input}, also by a link: the other
   * refusals of a file that exists advise to delete it.
   *
   * @param advice what else can be done, after a comma; or nothing
   */
  static void requireNoInput(BlockStore store, Path input, Path output, String advice)
      throws IOException {
    boolean isFile = input.getFileName() != null;
    if (!isFile || !store.exists(output) || !store.exists(input)) {
      return;
    }
    Path real = store.realPath(output);
    Path parent = input.getParent();
    for (Path file : store.list(parent == null ? Path.of("") : parent)) {
      if (isOfOneSet(file, input) && store.exists(file) && store.realPath(file).equals(real)) {
        throw new Refusal(
            output
                + " belongs to the multifile that is read, and is not overwritten: choose another"
                + " name"
                + advice
                + ".");
      }
    }
  }

  /** Whether one of these is file 0 of a multifile, and the other can be a file of the same. */
  private static boolean isOfOneSet(Path file, Path input) {
    String name = file.getFileName().toString();
    String inputName = input.getFileName().toString();
    return FileNames.isOfSet(inputName, name) || FileNames.isOfSet(name, inputName);
  }

  private static BlockFile openEmpty(BlockStore store, Path input, Path path) throws IOException {
    try {
      if (!store.exists(path)) {
        return store.create(path);
      }
      return emptied(store, input, store.open(path, Access.READ_WRITE));
    } catch (NoSuchFileException missing) {
      throw new Refusal(path + ": its directory does not exist. Make it first.", missing);
    }
  }

  private static BlockFile emptied(BlockStore store, Path input, BlockFile file)
      throws IOException {
    try {
      requireNoMultifile(store, input, file);
      file.resize(0);
      return file;
    } catch (IOException | RuntimeException failure) {
      file.close();
      throw failure;
    }
  }

  private static void requireNoMultifile(BlockStore store, Path input, BlockFile file)
      throws IOException {
    ByteBuffer start = ByteBuffer.allocate(MAGIC.length);
    if (file.size() < start.capacity()) {
      return;
    }
    file.readFully(0, start);
    if (start.flip().equals(ByteBuffer.wrap(MAGIC))) {
      requireNoInput(store, input, file.path(), "");
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
