package dev.cairn.sion;

import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.file.TaskStream;
import java.io.Closeable;

/** One task of a closed multifile. */
final class StoredTask extends TaskStream implements TaskView {
  /** The view of a task that closes nothing. */
  StoredTask(int task, PhysicalFile file, int localRank) {
    super(task, file, localRank);
  }

  /** The view of a task that closes {@code owned} with itself. */
  StoredTask(int task, PhysicalFile file, int localRank, Closeable owned) {
    super(task, file, localRank, owned);
  }

  @Override
  public Content content() {
    return holdsRecords() ? Content.RECORDS : Content.BYTES;
  }
}
