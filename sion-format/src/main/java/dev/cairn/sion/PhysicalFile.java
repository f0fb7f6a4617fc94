package dev.cairn.sion;

import dev.cairn.sion.format.BlockTable;
import dev.cairn.sion.format.EndiannessWord;
import dev.cairn.sion.format.FieldReader;
import dev.cairn.sion.format.FileHeader;
import dev.cairn.sion.format.FileTail;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.format.MetaOne;
import dev.cairn.sion.format.TaskColumns;
import dev.cairn.sion.format.UnusedBlocks;
import dev.cairn.sion.layout.BlockGeometry;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * One closed physical file, opened for reading. All that its meta data say has been checked against
 * its length and against each other; nothing was allocated before. It owns the open file. Reading
 * is safe from any number of threads.
 */
final class PhysicalFile implements Closeable {
  private final FileSource file;
  private final ByteOrder metaOrder;
  private final FileHeader header;
  private final TaskColumns columns;
  private final BlockGeometry geometry;
  private final BlockTable blocks;
  private final long metaTwoEnd;

  private PhysicalFile(FileSource file) throws IOException {
    this.file = file;
    this.metaOrder = EndiannessWord.metaOrder(peek(file));
    FieldReader in = readerAt(0);
    this.header = FileHeader.fields(in, FileHeader.BLANK);
    this.columns = readTaskPart(in);
    this.geometry = placeChunks();
    FileTail tail = readTail(in);
    this.blocks = readMetaTwo(tail);
    this.metaTwoEnd = tail.metaTwoStart() + BlockTable.size(header.taskCount(), tail.maxBlocks());
  }

  static PhysicalFile open(FileSource.Origin origin, Path path) throws IOException {
    FileSource file = origin.open(path);
    try {
      return new PhysicalFile(file);
    } catch (IOException | RuntimeException failure) {
      file.close();
      throw failure;
    }
  }

  /** The start of META1; zero bytes stand for what a short file lacks. */
  private static ByteBuffer peek(FileSource file) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(EndiannessWord.PEEK);
    start.limit((int) Math.min(start.capacity(), file.size()));
    file.readFully(0, start);
    return start.clear();
  }

  private TaskColumns readTaskPart(FieldReader in) throws IOException {
    in.require("META1's task part", MetaOne.taskPartSize(header.taskCount()));
    TaskColumns found = TaskColumns.blank(header.taskCount());
    TaskColumns.fields(in, found);
    return found;
  }

  private BlockGeometry placeChunks() throws SionException {
    try {
      long[] chunkSizes =
          header.version().storesRoundedChunkSizes()
              ? columns.chunkSizes()
              : BlockGeometry.roundUp(columns.chunkSizes(), header.blockSize());
      return BlockGeometry.of(MetaOne.size(header.taskCount()), header.blockSize(), chunkSizes);
    } catch (ArithmeticException tooLarge) {
      long tailOffset = MetaOne.tailOffset(header.version(), header.taskCount());
      throw new SionException.Corrupt(
          file.path(),
          tailOffset - (long) Long.BYTES * header.taskCount(),
          "sum of the chunk sizes",
          "less than 2^63",
          "more");
    }
  }

  /** A writer that was killed leaves the tail missing, or zero where a hole reaches over it. */
  private FileTail readTail(FieldReader in) throws IOException {
    long offset = in.position();
    if (offset == file.size() || isZero(offset)) {
      throw new SionException.NeverClosed(file.path(), offset + Integer.BYTES);
    }
    try {
      return FileTail.fields(in, FileTail.BLANK, geometry::metaTwoStart);
    } catch (ArithmeticException tooLarge) {
      throw new SionException.Corrupt(
          file.path(), offset, "maxchunks", "a number of blocks that end below byte 2^63", "more");
    }
  }

  private boolean isZero(long tailOffset) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(Long.BYTES);
    if (tailOffset + Integer.BYTES + Long.BYTES > file.size()) {
      return false;
    }
    file.readFully(tailOffset + Integer.BYTES, start);
    return start.getLong(0) == 0;
  }

  private BlockTable readMetaTwo(FileTail tail) throws IOException {
    FieldReader in = readerAt(tail.metaTwoStart());
    in.require("META2", BlockTable.size(header.taskCount(), tail.maxBlocks()));
    BlockTable found = BlockTable.blank(header.taskCount(), tail.maxBlocks(), geometry::chunkSize);
    BlockTable.fields(in, found, UnusedBlocks.ZERO);
    requireLargest(tail.maxBlocks(), found.largestBlockCount());
    return found;
  }

  /** Where META1 tells of more blocks than any task has, a task has lost its last one. */
  private void requireLargest(int maxBlocks, int largest) throws SionException {
    if (maxBlocks != largest) {
      throw new SionException.Corrupt(
          file.path(),
          MetaOne.tailOffset(header.version(), header.taskCount()),
          "maxchunks",
          largest + ", the largest number of blocks of any task",
          Integer.toString(maxBlocks));
    }
  }

  /** The mapping behind META2, which only file 0 of several has. */
  MappingTable readMapping() throws IOException {
    FieldReader in = readerAt(metaTwoEnd);
    int taskCount = MappingTable.countField(in, 0);
    in.require("the mapping", MappingTable.size(taskCount));
    MappingTable mapping = MappingTable.blank(taskCount);
    MappingTable.fields(in, mapping, header.fileCount());
    return mapping;
  }

  private FieldReader readerAt(long position) throws IOException {
    return new FieldReader(file.path(), file::readFully, file.size(), metaOrder, position);
  }

  Path path() {
    return file.path();
  }

  ByteOrder metaOrder() {
    return metaOrder;
  }

  FileHeader header() {
    return header;
  }

  TaskColumns columns() {
    return columns;
  }

  BlockTable blocks() {
    return blocks;
  }

  /** Where META2 ends, and the mapping begins if there is one. */
  long metaTwoEnd() {
    return metaTwoEnd;
  }

  /**
   * Reads from the stream of a task, over block borders, until {@code target} is full or the stream
   * ends.
   *
   * @return the number of bytes read, or -1 at or behind the end of the stream
   */
  int read(int localRank, long position, ByteBuffer target) throws IOException {
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
      long left = blocks.blockStart(localRank, block + 1) - next;
      int piece = (int) Math.min(end - target.position(), left);
      target.limit(target.position() + piece);
      file.readFully(offset(localRank, next), target);
      next += piece;
    }
  }

  /** Where the byte at a position of a task's stream lies in this file. */
  long offset(int localRank, long position) {
    int block = blocks.blockAt(localRank, position);
    long inBlock = position - blocks.blockStart(localRank, block);
    return geometry.chunk(localRank, block).offset() + inBlock;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
