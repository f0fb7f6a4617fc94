package dev.cairn.sion.salvage;

import dev.cairn.sion.Content;
import dev.cairn.sion.TaskView;
import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.file.TaskStream;

/** One task of a broken multifile, of a length that is known or assumed. */
final class SalvagedStream extends TaskStream implements TaskView {
  SalvagedStream(int task, PhysicalFile file, int localRank) {
    super(task, file, localRank);
  }

  @Override
  public Content content() {
    return holdsRecords() ? Content.RECORDS : Content.BYTES;
  }
}
