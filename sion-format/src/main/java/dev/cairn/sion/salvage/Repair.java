package dev.cairn.sion.salvage;

import dev.cairn.sion.file.FileEnd;
import dev.cairn.sion.file.FileHead;
import dev.cairn.sion.format.BlockTable;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.format.UnusedBlocks;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Closes unclosed files in the order in which a writer closes a multifile: META2 is durable before
 * META1 points to it, and file 0 comes last. All files must be present.
 */
final class Repair {
  private final BlockStore store;
  private final SalvageView view;
  private final Salvage.Lengths lengths;
  private final IntFunction<Path> target;

  /**
   * Prepares a repair; {@link #run} performs it.
   *
   * @param target by number, the files to close: those of {@code view}, or copies of them
   */
  Repair(BlockStore store, SalvageView view, Salvage.Lengths lengths, IntFunction<Path> target) {
    this.store = store;
    this.view = view;
    this.lengths = lengths;
    this.target = target;
  }

  void run() throws IOException {
    for (int fileNumber = view.fileCount() - 1; fileNumber >= 0; fileNumber--) {
      Optional<UnclosedFile> unclosed = view.file(fileNumber).unclosedFile();
      if (unclosed.isPresent()) {
        Optional<MappingTable> mapping = fileNumber == 0 ? view.mapping() : Optional.empty();
        close(unclosed.get(), mapping, target.apply(fileNumber));
      }
    }
  }

  private void close(UnclosedFile unclosed, Optional<MappingTable> mapping, Path path)
      throws IOException {
    FileHead head = unclosed.head();
    FileEnd end = FileEnd.of(head, UnusedBlocks.ZERO, mapping);
    BlockTable blocks = unclosed.closingTable(lengths);
    try (BlockFile file = store.open(path, Access.READ_WRITE)) {
      end.writeMetaTwo(blocks, file::write);
      file.force();
      end.writeTail(blocks, file::write);
      file.force();
    }
  }
}
