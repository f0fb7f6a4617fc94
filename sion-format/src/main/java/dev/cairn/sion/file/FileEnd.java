package dev.cairn.sion.file;

import dev.cairn.sion.field.FileWriter;
import dev.cairn.sion.format.BlockTable;
import dev.cairn.sion.format.FileTail;
import dev.cairn.sion.format.FormatVersion;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.format.MetaOne;
import dev.cairn.sion.format.UnusedBlocks;
import dev.cairn.sion.layout.BlockGeometry;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * What is written to close one physical file: META2, the mapping where there is one, and at last
 * META1's tail, which points to them. Between the two the caller forces the file.
 *
 * @param metaOrder the byte order of the file's meta data
 * @param version the file's format, which says where the tail lies
 * @param geometry where its chunks lie
 * @param unused what stands in META2 for blocks that a task did not use
 * @param mapping what follows META2: nothing, a mapping of no tasks (serial), or one of all tasks
 * @param fileCount the physical files that the mapping may name
 */
public record FileEnd(
    ByteOrder metaOrder,
    FormatVersion version,
    BlockGeometry geometry,
    UnusedBlocks unused,
    Optional<MappingTable> mapping,
    int fileCount) {

  /** The end of a file that exists, in its own format and byte order. */
  public static FileEnd of(FileHead head, UnusedBlocks unused, Optional<MappingTable> mapping) {
    return new FileEnd(
        head.metaOrder(),
        head.header().version(),
        head.geometry(),
        unused,
        mapping,
        head.header().fileCount());
  }

  /** How many bytes META2 and the mapping take. */
  public long size(int maxBlocks) {
    long tableSize = BlockTable.size(geometry.taskCount(), maxBlocks);
    return tableSize + mapping.map(FileEnd::sizeOnDisk).orElse(0L);
  }

  private static long sizeOnDisk(MappingTable table) {
    return Integer.BYTES + MappingTable.size(table.taskCount());
  }

  /** Writes META2, and the mapping behind it. */
  public void writeMetaTwo(BlockTable blocks, FileWriter.Sink file) throws IOException {
    FileWriter out = new FileWriter(file, metaOrder, geometry.metaTwoStart(blocks.maxBlocks()));
    BlockTable.fields(out, blocks, unused);
    if (mapping.isPresent()) {
      MappingTable.countField(out, mapping.get().taskCount());
      MappingTable.fields(out, mapping.get(), fileCount);
    }
    out.flush();
  }

  /** Points META1 to META2: from now on the file counts as closed. */
  public void writeTail(BlockTable blocks, FileWriter.Sink file) throws IOException {
    int maxBlocks = blocks.maxBlocks();
    FileWriter out =
        new FileWriter(file, metaOrder, MetaOne.tailOffset(version, geometry.taskCount()));
    FileTail tail = new FileTail(maxBlocks, geometry.metaTwoStart(maxBlocks));
    FileTail.fields(out, tail, geometry::metaTwoStart);
    out.flush();
  }
}
