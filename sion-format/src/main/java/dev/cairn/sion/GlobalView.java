package dev.cairn.sion;

import dev.cairn.sion.file.FileSet;
import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.format.EndiannessWord;
import dev.cairn.sion.format.FileHeader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Random access to the bytes of all tasks. It owns the open physical files; the caller that opened
 * it closes it. Any number of threads may read at once.
 */
public final class GlobalView implements Closeable {
  private final FileSet files;

  private GlobalView(FileSet files) {
    this.files = files;
  }

  /** Takes over {@code files}, also when it throws. */
  static GlobalView of(FileSet files) throws IOException {
    try {
      files.openAll();
      return new GlobalView(files);
    } catch (IOException | RuntimeException failure) {
      files.close();
      throw failure;
    }
  }

  public MultifileInfo info() {
    PhysicalFile first = files.first();
    FileHeader header = first.header();
    return new MultifileInfo(
        first.path(),
        first.metaOrder(),
        EndiannessWord.userOrder(header.endiannessWord(), first.metaOrder()),
        header.libraryVersion(),
        header.patchLevel(),
        header.version().number(),
        header.blockSize(),
        header.fileCount(),
        header.fileNumber(),
        header.flag1(),
        header.flag2(),
        header.prefix(),
        first.holdsRecords() ? Content.RECORDS : Content.BYTES);
  }

  public int taskCount() {
    return files.taskCount();
  }

  /** The largest number of blocks that any task uses. */
  public int blockCount() {
    int blockCount = 0;
    for (int fileNumber = 0; fileNumber < files.fileCount(); fileNumber++) {
      blockCount = Math.max(blockCount, files.file(fileNumber).blocks().maxBlocks());
    }
    return blockCount;
  }

  /**
   * What file 0 holds in META2 for blocks that a task did not use: 0, or -1 from a mapped writer.
   * Readers ignore it; dumps show it.
   */
  public long unusedBlockEntry() {
    return files.first().blocks().unusedEntry();
  }

  /** Whether this view spans several physical files; otherwise there is just the opened one. */
  public boolean spansFiles() {
    return files.isMapped();
  }

  /** The physical files of this view, by number. */
  public List<FileView> files() {
    return IntStream.range(0, files.fileCount())
        .mapToObj(fileNumber -> new FileView(fileNumber, files.file(fileNumber)))
        .toList();
  }

  /** The stream of a task; closing it does nothing. */
  public TaskView task(int task) {
    files.requireTask(task);
    return new StoredTask(task, files.file(files.fileNumber(task)), files.localRank(task));
  }

  /**
   * The number of the task that was written with this global rank.
   *
   * @throws IllegalArgumentException if there is none, or more than one
   */
  public int taskOfGlobalRank(long globalRank) {
    return files.taskOfGlobalRank(globalRank);
  }

  /** Where a task's stream lies. */
  public TaskPlace place(int task) {
    files.requireTask(task);
    return new TaskPlace(files.fileNumber(task), files.localRank(task));
  }

  /**
   * Reads from a task's stream, over block borders, until {@code target} is full or the stream
   * ends.
   *
   * @return the number of bytes read, or -1 at or behind the end of the stream
   */
  public int read(int task, long position, ByteBuffer target) throws IOException {
    files.requireTask(task);
    return files.file(files.fileNumber(task)).read(files.localRank(task), position, target);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
