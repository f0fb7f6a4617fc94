package dev.cairn.sion;

import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.format.FileTail;
import dev.cairn.sion.format.MetaOne;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Where the parts of one physical file lie: META1 at its start, the first block behind a gap, one
 * block behind the other, then META2. It lists the file's own tasks by local rank, including those
 * that no mapping names.
 *
 * <p>It owns nothing and is valid while the {@link GlobalView} that it came from is open. Any
 * thread may call it.
 */
public final class FileView {
  private final int fileNumber;
  private final PhysicalFile file;

  FileView(int fileNumber, PhysicalFile file) {
    this.fileNumber = fileNumber;
    this.file = file;
  }

  /** Its number among the files of the view, which {@link TaskPlace#fileNumber} gives. */
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
    return block < file.blocks().blockCount(localRank) ? file.blocks().bytes(localRank, block) : 0;
  }
}
