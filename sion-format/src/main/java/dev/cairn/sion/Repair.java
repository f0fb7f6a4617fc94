package dev.cairn.sion;

import dev.cairn.sion.format.BlockTable;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.format.UnusedBlocks;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.util.Optional;

/**
 * Gives files that were not closed their end, in the order in which {@link Closing} does: META2 is
 * durable before META1 points to it, and file 0 comes last. All files must be there.
 */
final class Repair {
  private final BlockStore store;
  private final SalvageView view;
  private final Lengths lengths;

  Repair(BlockStore store, SalvageView view, Lengths lengths) {
    this.store = store;
    this.view = view;
    this.lengths = lengths;
  }

  void run() throws IOException {
    for (int fileNumber = view.fileCount() - 1; fileNumber >= 0; fileNumber--) {
      Optional<UnclosedFile> unclosed = view.file(fileNumber).unclosedFile();
      if (unclosed.isPresent()) {
        close(unclosed.get(), fileNumber == 0 ? view.mapping() : Optional.empty());
      }
    }
  }

  private void close(UnclosedFile unclosed, Optional<MappingTable> mapping) throws IOException {
    FileHead head = unclosed.head();
    FileEnd end = FileEnd.of(head, UnusedBlocks.ZERO, mapping);
    BlockTable blocks = unclosed.closingTable(lengths);
    try (BlockFile file = store.open(head.path(), Access.READ_WRITE)) {
      end.writeMetaTwo(blocks, file::write);
      file.force();
      end.writeTail(blocks, file::write);
      file.force();
    }
  }
}
