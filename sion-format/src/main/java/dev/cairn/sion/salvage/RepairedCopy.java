package dev.cairn.sion.salvage;

import dev.cairn.sion.ForcePolicy;
import dev.cairn.sion.Multifile;
import dev.cairn.sion.copy.part.NewMultifile;
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
  private final Salvage.Lengths lengths;
  private final Path copy;
  private final LongConsumer copied;

  RepairedCopy(
      BlockStore store, SalvageView view, Salvage.Lengths lengths, Path copy, LongConsumer copied) {
    this.store = store;
    this.view = view;
    this.lengths = lengths;
    this.copy = copy;
    this.copied = copied;
  }

  void run() throws IOException {
    try (NewMultifile made =
        NewMultifile.begin(store, copy, view.fileCount(), ForcePolicy.ON_CLOSE)) {
      for (SalvageView.SalvagedFile file : view.files()) {
        copy(file.path(), made.files(), target(file.fileNumber()));
      }
      new Repair(made.files(), view, lengths, this::target).run();
      Multifile.open(made.files(), copy).close();
      made.reveal();
    }
  }

  private Path target(int fileNumber) {
    return FileNames.physical(copy, fileNumber);
  }

  private void copy(Path from, BlockStore files, Path to) throws IOException {
    try (BlockFile source = store.open(from, Access.READ);
        BlockFile target = files.create(to)) {
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
