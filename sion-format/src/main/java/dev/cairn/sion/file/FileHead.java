package dev.cairn.sion.file;

import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.format.BlockTable;
import dev.cairn.sion.format.EndiannessWord;
import dev.cairn.sion.format.FileHeader;
import dev.cairn.sion.format.FileTail;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.format.MetaOne;
import dev.cairn.sion.format.MetaReader;
import dev.cairn.sion.format.TaskColumns;
import dev.cairn.sion.format.UnusedBlocks;
import dev.cairn.sion.layout.BlockGeometry;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * META1 of an open physical file up to its tail: what is known when the file is created, and thus
 * also in a file that was never closed. All of it has been checked against the length of the file;
 * nothing was allocated before. It owns the open file. Reading is safe from any number of threads.
 */
public final class FileHead implements Closeable {
  private final FileSource file;
  private final ByteOrder metaOrder;
  private final FileHeader header;
  private final TaskColumns columns;
  private final BlockGeometry geometry;

  private FileHead(FileSource file) throws IOException {
    this.file = file;
    this.metaOrder = EndiannessWord.metaOrder(peek(file));
    MetaReader in = readerAt(0);
    this.header = FileHeader.fields(in, FileHeader.BLANK);
    this.columns = readTaskPart(in);
    this.geometry = placeChunks();
  }

  public static FileHead open(FileSource.Origin origin, Path path) throws IOException {
    FileSource file = origin.open(path);
    try {
      return new FileHead(file);
    } catch (IOException | RuntimeException failure) {
      CloseAll.after(failure, file);
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

  private TaskColumns readTaskPart(MetaReader in) throws IOException {
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
      throw new SionException.Corrupt(
          file.path(),
          tailOffset() - (long) Long.BYTES * header.taskCount(),
          "sum of the chunk sizes",
          "less than 2^63",
          "more");
    }
  }

  /** A writer that was killed leaves the tail missing, or zero where a hole reaches over it. */
  public FileTail readTail() throws IOException {
    MetaReader in = tailReader();
    if (tailOffset() == file.size() || isNeverWritten()) {
      throw new SionException.NeverClosed(file.path(), tailOffset() + Integer.BYTES);
    }
    try {
      return FileTail.fields(in, FileTail.BLANK, geometry::metaTwoStart);
    } catch (ArithmeticException tooLarge) {
      throw new SionException.Corrupt(
          file.path(),
          tailOffset(),
          "maxchunks",
          "a number of blocks that end below byte 2^63",
          "more");
    }
  }

  /** Reads no more of the file than the tail. */
  private MetaReader tailReader() throws IOException {
    long end = Math.min(file.size(), tailOffset() + FileTail.SIZE);
    return new MetaReader(file.path(), file::readFully, end, metaOrder, tailOffset());
  }

  private boolean isNeverWritten() throws IOException {
    ByteBuffer start = ByteBuffer.allocate(Long.BYTES);
    if (tailOffset() + FileTail.SIZE > file.size()) {
      return false;
    }
    file.readFully(tailOffset() + Integer.BYTES, start);
    return start.getLong(0) == 0;
  }

  /** META2 behind {@code maxBlocks} blocks, checked entry by entry. */
  public BlockTable readMetaTwo(int maxBlocks) throws IOException {
    MetaReader in = readerAt(geometry.metaTwoStart(maxBlocks));
    in.require("META2", BlockTable.size(header.taskCount(), maxBlocks));
    BlockTable found = BlockTable.blank(header.taskCount(), maxBlocks, geometry::chunkSize);
    BlockTable.fields(in, found, UnusedBlocks.ZERO);
    requireLargest(maxBlocks, found.largestBlockCount());
    return found;
  }

  /** If META1 counts more blocks than any task has, META2 lacks the last block of a task. */
  private void requireLargest(int maxBlocks, int largest) throws SionException {
    if (maxBlocks != largest) {
      throw new SionException.Corrupt(
          file.path(),
          tailOffset(),
          "maxchunks",
          largest + ", the largest number of blocks of any task",
          Integer.toString(maxBlocks));
    }
  }

  /** The mapping that begins at a position, behind META2 of file 0. */
  MappingTable readMapping(long position) throws IOException {
    MetaReader in = readerAt(position);
    int taskCount = MappingTable.countField(in, 0);
    in.require("the mapping", MappingTable.size(taskCount));
    MappingTable mapping = MappingTable.blank(taskCount);
    MappingTable.fields(in, mapping, header.fileCount());
    return mapping;
  }

  private MetaReader readerAt(long position) throws IOException {
    return new MetaReader(file.path(), file::readFully, file.size(), metaOrder, position);
  }

  public Path path() {
    return file.path();
  }

  /** The length of the physical file. */
  public long fileSize() throws IOException {
    return file.size();
  }

  public ByteOrder metaOrder() {
    return metaOrder;
  }

  public FileHeader header() {
    return header;
  }

  public TaskColumns columns() {
    return columns;
  }

  public BlockGeometry geometry() {
    return geometry;
  }

  public int taskCount() {
    return header.taskCount();
  }

  /** Whether the mapping behind META2 of this file says where the tasks of a whole set lie. */
  public boolean isFirstOfSeveral() {
    return header.fileCount() > 1 && header.fileNumber() == 0;
  }

  /** Whether a serial writer made it, which calls its only file number 1. */
  public boolean isSerial() {
    return header.fileCount() == 1 && header.fileNumber() == 1;
  }

  /** Where META1's tail begins. */
  public long tailOffset() {
    return MetaOne.tailOffset(header.version(), header.taskCount());
  }

  public void readFully(long position, ByteBuffer target) throws IOException {
    file.readFully(position, target);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
