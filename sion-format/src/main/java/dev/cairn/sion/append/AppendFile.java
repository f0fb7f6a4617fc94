package dev.cairn.sion.append;

import dev.cairn.sion.TaskSlot;
import dev.cairn.sion.TaskUsage;
import dev.cairn.sion.file.FileEnd;
import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.format.BlockTable;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.format.UnusedBlocks;
import dev.cairn.sion.layout.BlockGeometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** One closed physical file that is about to be appended to. Immutable. */
final class AppendFile {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private final Path path;
  private final FileEnd end;
  private final TaskUsage[] usages;
  private final long metaTwoStart;
  private final long metaTwoEnd;
  private final int blockCount;
  private final ByteBuffer[] carried;

  private AppendFile(PhysicalFile file, FileEnd end) throws IOException {
    this.path = file.path();
    this.end = end;
    this.usages = new TaskUsage[file.header().taskCount()];
    Arrays.setAll(usages, localRank -> usage(file.blocks(), localRank));
    this.blockCount = file.blocks().maxBlocks();
    this.metaTwoStart = file.metaTwoStart();
    this.metaTwoEnd = metaTwoStart + end.size(blockCount);
    this.carried = new ByteBuffer[usages.length];
    for (int localRank = 0; localRank < carried.length; localRank++) {
      carried[localRank] = partsRecords(file, localRank) ? RecordGap.end(file, localRank) : NOTHING;
    }
  }

  /** Whether blocks that a task must pass over follow its last record. */
  private boolean partsRecords(PhysicalFile file, int localRank) {
    TaskUsage usage = usages[localRank];
    int last = usage.blockCount() - 1;
    return file.holdsRecords()
        && last == blockCount - 1
        && reservedTo(localRank) > blockCount
        && usage.bytesInBlock(last) == end.geometry().chunkSize(localRank);
  }

  /**
   * Reads what an append needs to know of a file.
   *
   * @param mapping the mapping of the set if this file holds it
   */
  static AppendFile of(PhysicalFile file, Optional<MappingTable> mapping) throws IOException {
    Optional<MappingTable> kept = mapping.isPresent() ? mapping : file.mappingOfSingleFile();
    return new AppendFile(file, FileEnd.of(file.head(), unused(file), kept));
  }

  /** The value that the file's writer put there; only mapped writers do. */
  private static UnusedBlocks unused(PhysicalFile file) {
    return file.blocks().unusedEntry() == UnusedBlocks.MINUS_ONE.value()
        ? UnusedBlocks.MINUS_ONE
        : UnusedBlocks.ZERO;
  }

  /** Empty blocks at the end only made room for META2. */
  private static TaskUsage usage(BlockTable blocks, int localRank) {
    long[] bytes = new long[blocks.blockCount(localRank)];
    Arrays.setAll(bytes, block -> blocks.bytes(localRank, block));
    return TaskUsage.of(withoutEmptyEnd(bytes));
  }

  /** The bytes in each block without empty blocks at the end; the first block is always kept. */
  static long[] withoutEmptyEnd(long[] bytes) {
    int count = bytes.length;
    while (count > 1 && bytes[count - 1] == 0) {
      count--;
    }
    return Arrays.copyOf(bytes, count);
  }

  Path path() {
    return path;
  }

  FileEnd end() {
    return end;
  }

  /** Where META2 and what follows it end; behind it nothing counts. */
  long metaTwoEnd() {
    return metaTwoEnd;
  }

  int taskCount() {
    return usages.length;
  }

  TaskUsage usage(int localRank) {
    return usages[localRank];
  }

  TaskSlot.AppendSlot slot(int task, int fileNumber, int localRank) {
    BlockGeometry geometry = end.geometry();
    TaskSlot slot =
        new TaskSlot(
            task,
            fileNumber,
            geometry.start(localRank),
            geometry.stride(),
            geometry.chunkSize(localRank),
            end.metaOrder(),
            Optional.empty());
    return new TaskSlot.AppendSlot(
        slot, usages[localRank], blockCount, reservedTo(localRank), carried[localRank]);
  }

  /** The first block whose chunk of a task begins behind META2. */
  int reservedTo(int localRank) {
    long stride = end.geometry().stride();
    long under = metaTwoEnd - end.geometry().start(localRank);
    return stride == 0 || under <= 0
        ? blockCount
        : Math.toIntExact(Math.max(blockCount, (under - 1) / stride + 1));
  }

  /**
   * How many blocks the file gets, so that the new META2 lies behind those in use and nowhere over
   * the old one.
   */
  int newBlockCount(int blocksInUse) {
    BlockGeometry geometry = end.geometry();
    if (geometry.metaTwoStart(blocksInUse) + end.size(blocksInUse) <= metaTwoStart) {
      return blocksInUse;
    }
    long behindStart = metaTwoEnd - geometry.metaTwoStart(0);
    return Math.toIntExact(Math.max(blocksInUse, (behindStart - 1) / geometry.stride() + 1));
  }
}
