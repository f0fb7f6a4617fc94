package dev.cairn.sion;

import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.file.FileSet;
import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.format.EndiannessWord;
import dev.cairn.sion.format.FileHeader;
import dev.cairn.sion.format.FileTail;
import dev.cairn.sion.format.MetaOne;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
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
      CloseAll.after(failure, files);
      throw failure;
    }
  }

  public Info info() {
    PhysicalFile first = files.first();
    FileHeader header = first.header();
    return new Info(
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
  public FileMapping.TaskPlace place(int task) {
    files.requireTask(task);
    return new FileMapping.TaskPlace(files.fileNumber(task), files.localRank(task));
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

  /**
   * Where the parts of one physical file lie: META1 at its start, the first block behind a gap, one
   * block behind the other, then META2. It lists the file's own tasks by local rank, including
   * those that no mapping names.
   *
   * <p>It owns nothing and is valid while the {@link GlobalView} that it came from is open. Any
   * thread may call it.
   */
  public static final class FileView {
    private final int fileNumber;
    private final PhysicalFile file;

    FileView(int fileNumber, PhysicalFile file) {
      this.fileNumber = fileNumber;
      this.file = file;
    }

    /**
     * Its number among the files of the view, which {@link FileMapping.TaskPlace#fileNumber} gives.
     */
    public int fileNumber() {
      return fileNumber;
    }

    public Path path() {
      return file.path();
    }

    /** The length of the file. */
    public long size() throws IOException {
      return file.size();
    }

    public int taskCount() {
      return file.header().taskCount();
    }

    /** The largest number of blocks that a task of this file uses. */
    public int blockCount() {
      return file.blocks().maxBlocks();
    }

    /** The bytes of META1, from the start of the file. */
    public long metaOneSize() {
      return MetaOne.tailOffset(file.header().version(), taskCount()) + FileTail.SIZE;
    }

    /** Where block 0 begins; what lies between META1 and it is not used. */
    public long blocksStart() {
      return file.geometry().metaTwoStart(0);
    }

    /** The bytes of a block: from the start of one to the start of the next. */
    public long stride() {
      return file.geometry().stride();
    }

    /** Where META2 begins. */
    public long metaTwoStart() {
      return file.geometry().metaTwoStart(blockCount());
    }

    /** Where META2 ends, and the mapping begins if there is one. */
    public long metaTwoEnd() {
      return file.metaTwoEnd();
    }

    /** The room that a task has in every block. */
    public long room(int localRank) {
      return file.geometry().chunkSize(localRank);
    }

    /** The bytes that a task has written into a block; 0 for a block that it did not reach. */
    public long bytesInBlock(int localRank, int block) {
      return block < file.blocks().blockCount(localRank)
          ? file.blocks().bytes(localRank, block)
          : 0;
    }
  }

  /**
   * What a physical file's META1 says of the whole multifile.
   *
   * @param path the physical file that was opened
   * @param metaDataOrder the byte order of meta data and record headers
   * @param userDataOrder the byte order that the writer declared for its own data
   * @param libraryVersion 1000 times the major plus the minor version of the writing library
   * @param patchLevel its patch level
   * @param formatVersion the file format, 2 to 5
   * @param blockSize the bytes to which chunks were aligned
   * @param fileCount the physical files of the multifile
   * @param fileNumber which of them was opened; a serial writer calls its only one 1
   * @param flag1 the flags as they are
   * @param flag2 unused by the format
   * @param prefix the name under which the multifile was created
   * @param content what the tasks' streams hold
   */
  public record Info(
      Path path,
      ByteOrder metaDataOrder,
      ByteOrder userDataOrder,
      int libraryVersion,
      int patchLevel,
      int formatVersion,
      int blockSize,
      int fileCount,
      int fileNumber,
      long flag1,
      long flag2,
      String prefix,
      Content content) {}
}
