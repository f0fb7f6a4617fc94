package dev.cairn.sion.append;

import dev.cairn.sion.Content;
import dev.cairn.sion.TaskUsage;
import dev.cairn.sion.file.EntryBudget;
import dev.cairn.sion.file.FileHead;
import dev.cairn.sion.file.FileSource;
import dev.cairn.sion.file.Padding;
import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.format.BlockTable;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Makes the appended bytes visible to readers. The old META2 stays whole until the new one is
 * durable and META1's tail, twelve bytes that lie in one sector of the disk, points to it.
 */
final class AppendClosing {
  private final BlockStore store;
  private final AppendLayout layout;
  private final TaskUsage[][] usages;

  AppendClosing(BlockStore store, AppendLayout layout, List<TaskUsage> byTask) {
    this.store = store;
    this.layout = layout;
    this.usages = new TaskUsage[layout.fileCount()][];
    if (byTask.size() != layout.taskCount()) {
      throw new IllegalArgumentException(
          String.format(
              "%s: %d tasks, but the usage of %d: each task leaves one.",
              layout.file(0), layout.taskCount(), byTask.size()));
    }
    arrange(byTask);
  }

  /** Tasks that the mapping leaves out, the helpers of buddy files, stay as they are. */
  private void arrange(List<TaskUsage> byTask) {
    for (int fileNumber = 0; fileNumber < usages.length; fileNumber++) {
      AppendFile file = layout.appendFile(fileNumber);
      usages[fileNumber] = new TaskUsage[file.taskCount()];
      Arrays.setAll(usages[fileNumber], file::usage);
    }
    for (int task = 0; task < byTask.size(); task++) {
      usages[layout.places().file(task)][layout.places().localRank(task)] = byTask.get(task);
    }
  }

  void run() throws IOException {
    for (int fileNumber = usages.length - 1; fileNumber >= 0; fileNumber--) {
      if (hasGrown(fileNumber)) {
        close(fileNumber);
      }
    }
  }

  private boolean hasGrown(int fileNumber) {
    AppendFile file = layout.appendFile(fileNumber);
    for (int localRank = 0; localRank < file.taskCount(); localRank++) {
      if (usages[fileNumber][localRank].size() != file.usage(localRank).size()) {
        return true;
      }
    }
    return false;
  }

  private void close(int fileNumber) throws IOException {
    AppendFile each = layout.appendFile(fileNumber);
    try (BlockFile file = store.open(each.path(), Access.READ_WRITE)) {
      BlockTable blocks = blockTable(each, usages[fileNumber], file);
      each.end().writeMetaTwo(blocks, file::write);
      file.force();
      each.end().writeTail(blocks, file::write);
      file.force();
      file.resize(
          each.end().geometry().metaTwoStart(blocks.maxBlocks())
              + each.end().size(blocks.maxBlocks()));
    }
  }

  private BlockTable blockTable(AppendFile each, TaskUsage[] usages, BlockFile file)
      throws IOException {
    long[][] bytes = new long[usages.length][];
    Arrays.setAll(bytes, localRank -> bytesPerBlock(usages[localRank]));
    EntryBudget budget = new EntryBudget(each.path());
    int blockCount = each.newBlockCount(Padding.largest(bytes));
    if (layout.content() == Content.RECORDS && Padding.followsData(bytes, blockCount)) {
      moveEnd(each, bytes, blockCount, file, budget);
      blockCount = each.newBlockCount(Padding.largest(bytes));
    }
    Padding.pad(bytes, blockCount, budget);
    return BlockTable.of(bytes, each.end().geometry()::chunkSize);
  }

  private static long[] bytesPerBlock(TaskUsage usage) {
    long[] bytes = new long[usage.blockCount()];
    Arrays.setAll(bytes, usage::bytesInBlock);
    return AppendFile.withoutEmptyEnd(bytes);
  }

  /** Puts the end of the longest task's last record behind the empty blocks that would follow. */
  private void moveEnd(
      AppendFile each, long[][] bytes, int blockCount, BlockFile file, EntryBudget budget)
      throws IOException {
    int localRank = Padding.longest(bytes);
    ByteBuffer end = endOfStream(each, bytes, localRank);
    if (end.hasRemaining()) {
      int block = Math.max(blockCount - 1, each.reservedTo(localRank));
      budget.take(block + 1 - bytes[localRank].length);
      bytes[localRank] = RecordGap.withEndIn(block, bytes[localRank], end.remaining());
      file.write(each.end().geometry().chunkStart(localRank, block), end);
    }
  }

  private ByteBuffer endOfStream(AppendFile each, long[][] bytes, int localRank)
      throws IOException {
    BlockTable blocks = BlockTable.of(bytes, each.end().geometry()::chunkSize);
    try (FileHead head = FileHead.open(FileSource.in(store), each.path())) {
      return RecordGap.end(PhysicalFile.of(head, blocks), localRank);
    }
  }
}
