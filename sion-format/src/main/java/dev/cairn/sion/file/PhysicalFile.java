package dev.cairn.sion.file;

import dev.cairn.sion.format.BlockTable;
import dev.cairn.sion.format.FileHeader;
import dev.cairn.sion.format.KeyValueMode;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.format.TaskColumns;
import dev.cairn.sion.layout.BlockGeometry;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One physical file whose tasks' lengths are known, opened for reading. It owns the open file.
 * Reading is safe from any number of threads.
 */
public final class PhysicalFile implements Closeable {
  private final FileHead head;
  private final BlockTable blocks;

  private PhysicalFile(FileHead head, BlockTable blocks) {
    this.head = head;
    this.blocks = blocks;
  }

  /** Opens a closed file. All meta data are checked before they are used. */
  public static PhysicalFile open(FileSource.Origin origin, Path path) throws IOException {
    FileHead head = FileHead.open(origin, path);
    try {
      return closed(head);
    } catch (IOException | RuntimeException failure) {
      CloseAll.after(failure, head);
      throw failure;
    }
  }

  /** The file of {@code head} if it was closed. It takes {@code head} over unless it throws. */
  public static PhysicalFile closed(FileHead head) throws IOException {
    return of(head, head.readMetaTwo(head.readTail().maxBlocks()));
  }

  /** The file of {@code head}, which is taken over, with lengths from wherever they are known. */
  public static PhysicalFile of(FileHead head, BlockTable blocks) {
    return new PhysicalFile(head, blocks);
  }

  /** The mapping behind META2, which only file 0 of several has. */
  public MappingTable readMapping() throws IOException {
    return head.readMapping(metaTwoEnd());
  }

  /**
   * The mapping behind META2 of a file that is not file 0 of several. No reader needs it. A rewrite
   * of META2 keeps it, since serial and mapped writers put one there.
   */
  public Optional<MappingTable> mappingOfSingleFile() throws IOException {
    if (head.isSerial()) {
      return Optional.of(MappingTable.NO_TASKS);
    }
    long size = Integer.BYTES + MappingTable.size(head.taskCount());
    return head.header().fileCount() == 1 && head.fileSize() == metaTwoEnd() + size
        ? Optional.of(readMapping())
        : Optional.empty();
  }

  public FileHead head() {
    return head;
  }

  public Path path() {
    return head.path();
  }

  public ByteOrder metaOrder() {
    return head.metaOrder();
  }

  public FileHeader header() {
    return head.header();
  }

  /** Whether the tasks' streams are rows of records. */
  public boolean holdsRecords() {
    return header().keyValueMode() == KeyValueMode.INLINE;
  }

  TaskColumns columns() {
    return head.columns();
  }

  public BlockTable blocks() {
    return blocks;
  }

  public BlockGeometry geometry() {
    return head.geometry();
  }

  public long size() throws IOException {
    return head.fileSize();
  }

  /** Where META2 ends, and the mapping begins if there is one. */
  public long metaTwoEnd() {
    return metaTwoStart() + BlockTable.size(blocks.taskCount(), blocks.maxBlocks());
  }

  /** Where META2 begins. */
  public long metaTwoStart() {
    return head.geometry().metaTwoStart(blocks.maxBlocks());
  }

  /**
   * Reads from the stream of a task, over block borders, until {@code target} is full or the stream
   * ends.
   *
   * @return the number of bytes read, or -1 at or behind the end of the stream
   */
  public int read(int localRank, long position, ByteBuffer target) throws IOException {
    long left = blocks.size(localRank) - position;
    if (left <= 0) {
      return -1;
    }
    int count = (int) Math.min(left, target.remaining());
    int end = target.limit();
    target.limit(target.position() + count);
    try {
      readBlocks(localRank, position, target);
    } finally {
      target.limit(end);
    }
    return count;
  }

  private void readBlocks(int localRank, long position, ByteBuffer target) throws IOException {
    int end = target.limit();
    long next = position;
    while (target.position() < end) {
      int block = blocks.blockAt(localRank, next);
      long inBlock = next - blocks.blockStart(localRank, block);
      long left = blocks.bytes(localRank, block) - inBlock;
      int piece = (int) Math.min(end - target.position(), left);
      target.limit(target.position() + piece);
      head.readFully(chunkOffset(localRank, block) + inBlock, target);
      next += piece;
    }
  }

  /** Where the byte at a position of a task's stream lies in this file. */
  long offset(int localRank, long position) {
    int block = blocks.blockAt(localRank, position);
    long inBlock = position - blocks.blockStart(localRank, block);
    return chunkOffset(localRank, block) + inBlock;
  }

  /** Where a task's chunk in a block begins. */
  long chunkOffset(int localRank, int block) {
    return head.geometry().chunkStart(localRank, block);
  }

  @Override
  public void close() throws IOException {
    head.close();
  }
}
