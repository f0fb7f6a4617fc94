package dev.cairn.sion.cli;

import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/** Copies a file byte for byte. Where it reads as zeros the copy gets a hole. */
final class SparseCopy {
  private static final int BUFFER_BYTES = 1 << 18;
  private static final ByteBuffer ZEROS = ByteBuffer.allocate(BUFFER_BYTES);

  private final Shell shell;
  private final Path from;
  private final Path to;

  SparseCopy(Shell shell, Path from, Path to) {
    this.shell = shell;
    this.from = from;
    this.to = to;
  }

  void run() throws IOException {
    try (BlockFile source = shell.store().open(from, Access.READ);
        BlockFile target = create();
        Progress progress = new Progress(shell, "copy " + from, source.size())) {
      long size = source.size();
      target.resize(size);
      ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
      for (long next = 0; next < size; next += BUFFER_BYTES) {
        buffer.clear().limit((int) Math.min(BUFFER_BYTES, size - next));
        source.readFully(next, buffer);
        write(target, next, buffer.flip());
        progress.advance(buffer.limit());
      }
    }
  }

  private static void write(BlockFile target, long position, ByteBuffer piece) throws IOException {
    if (piece.mismatch(ZEROS.duplicate().limit(piece.limit())) >= 0) {
      target.write(position, piece);
    }
  }

  private BlockFile create() throws IOException {
    try {
      return shell.store().create(to);
    } catch (FileAlreadyExistsException exists) {
      throw new Refusal(to + " exists already: choose another name for the copy.", exists);
    }
  }
}
