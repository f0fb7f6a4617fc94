package dev.cairn.sion;

import dev.cairn.sion.field.FileWriter;
import dev.cairn.sion.file.FileEnd;
import dev.cairn.sion.format.BlockTable;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.util.List;

/**
 * Closes the physical files of a new multifile. In each one META2 is durable before META1 points to
 * it, and file 0, without which there is no multifile, comes last.
 */
final class Closing {
  private final MultifileLayout layout;
  private final List<TaskUsage> usages;

  Closing(MultifileLayout layout, List<TaskUsage> usages) {
    this.layout = layout;
    this.usages = usages;
    if (usages.size() != layout.taskCount()) {
      throw new IllegalArgumentException(
          String.format(
              "%s: %d tasks, but the usage of %d: each task leaves one.",
              layout.spec().path(), layout.taskCount(), usages.size()));
    }
  }

  /** Opens one file after the other. */
  void run(BlockStore store) throws IOException {
    for (int fileNumber = layout.fileCount() - 1; fileNumber >= 0; fileNumber--) {
      try (BlockFile file = store.open(layout.file(fileNumber), Access.READ_WRITE)) {
        closeFile(store, file, fileNumber);
      }
    }
  }

  /** The same with files that are open, and stay so. */
  void run(BlockStore store, BlockFile[] files) throws IOException {
    for (int fileNumber = files.length - 1; fileNumber >= 0; fileNumber--) {
      closeFile(store, files[fileNumber], fileNumber);
    }
  }

  private void closeFile(BlockStore store, BlockFile file, int fileNumber) throws IOException {
    BlockTable blocks = blockTable(fileNumber);
    FileEnd end = new NewFile(layout, fileNumber).end();
    end.writeMetaTwo(blocks, file::write);
    force(file);
    if (fileNumber == 0) {
      forceNames(store);
    }
    end.writeTail(blocks, file::write);
    force(file);
  }

  /** What {@link #run} writes into a file, without any order. */
  void writeEnd(int fileNumber, FileWriter.Sink file) throws IOException {
    BlockTable blocks = blockTable(fileNumber);
    FileEnd end = new NewFile(layout, fileNumber).end();
    end.writeMetaTwo(blocks, file);
    end.writeTail(blocks, file);
  }

  private BlockTable blockTable(int fileNumber) {
    FileLayout plan = layout.fileLayout(fileNumber);
    long[][] bytes = new long[plan.taskCount()][];
    for (int localRank = 0; localRank < bytes.length; localRank++) {
      bytes[localRank] = usage(plan.task(localRank)).bytesPerBlock();
    }
    return BlockTable.of(bytes, plan.geometry()::chunkSize);
  }

  private TaskUsage usage(int task) {
    return task == FileLayout.NO_TASK ? TaskUsage.EMPTY : usages.get(task);
  }

  private void force(BlockFile file) throws IOException {
    if (layout.spec().forcePolicy() == ForcePolicy.ON_CLOSE) {
      file.force();
    }
  }

  private void forceNames(BlockStore store) throws IOException {
    if (layout.spec().forcePolicy() == ForcePolicy.ON_CLOSE) {
      store.forceDirectory(layout.spec().directory());
    }
  }
}
