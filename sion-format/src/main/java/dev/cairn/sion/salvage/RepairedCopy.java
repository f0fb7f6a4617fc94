package dev.cairn.sion.salvage;

import dev.cairn.sion.ForcePolicy;
import dev.cairn.sion.Multifile;
import dev.cairn.sion.copy.part.PartStore;
import dev.cairn.sion.layout.FileNames;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * A closed copy of a multifile that was not closed. Where the original reads as zeros it has holes.
 */
final class RepairedCopy {
  private static final int BUFFER_SIZE = 1 << 18;
  private static final ByteBuffer ZEROS = ByteBuffer.allocate(BUFFER_SIZE);

  private final BlockStore store;
  private final SalvageView view;
  private final Lengths lengths;
  private final Path copy;
  private final PartStore parts;
  private final LongConsumer copied;

  RepairedCopy(
      BlockStore store, SalvageView view, Lengths lengths, Path copy, LongConsumer copied) {
    this.store = store;
    this.view = view;
    this.lengths = lengths;
    this.copy = copy;
    this.parts = new PartStore(store, copy, view.fileCount(), ForcePolicy.ON_CLOSE);
    this.copied = copied;
  }

  void run() throws IOException {
    parts.requireNothingThere();
    try {
      for (SalvagedFile file : view.files()) {
        copy(file.path(), target(file.fileNumber()));
      }
      new Repair(parts, view, lengths, this::target).run();
      Multifile.open(parts, copy).close();
      parts.reveal();
    } catch (IOException | RuntimeException failure) {
      parts.discard(failure);
      throw failure;
    }
  }

  private Path target(int fileNumber) {
    return FileNames.physical(copy, fileNumber);
  }

  private void copy(Path from, Path to) throws IOException {
    try (BlockFile source = store.open(from, Access.READ);
        BlockFile target = parts.create(to)) {
      long size = source.size();
      target.resize(size);
      ByteBuffer buffer = ByteBuffer.allocate(BUFFER_SIZE);
      for (long next = 0; next < size; next += BUFFER_SIZE) {
        buffer.clear().limit((int) Math.min(BUFFER_SIZE, size - next));
        source.readFully(next, buffer);
        write(target, next, buffer.flip());
        copied.accept(buffer.limit());
      }
      target.force();
    }
  }

  private static void write(BlockFile target, long position, ByteBuffer piece) throws IOException {
    if (piece.mismatch(ZEROS.duplicate().limit(piece.limit())) >= 0) {
      target.write(position, piece);
    }
  }
}
