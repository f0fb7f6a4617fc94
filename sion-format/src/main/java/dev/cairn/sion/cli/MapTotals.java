package dev.cairn.sion.cli;

import static dev.cairn.sion.cli.MapStyle.words;

import dev.cairn.sion.GlobalView;
import java.io.IOException;
import java.util.List;

/**
 * The sums over all physical files, for the head of a picture.
 *
 * @param used the bytes that tasks have written
 * @param holes the room in chunks that they left
 * @param metaBytes META1, META2 and mapping
 * @param gaps what is not used between META1 and the first block
 */
record MapTotals(long used, long holes, long metaBytes, long gaps) {
  static MapTotals of(List<GlobalView.FileView> files) throws IOException {
    long used = 0;
    long room = 0;
    long metaBytes = 0;
    long gaps = 0;
    for (GlobalView.FileView file : files) {
      used += usedBytes(file);
      room += file.metaTwoStart() - file.blocksStart();
      metaBytes += file.metaOneSize() + file.size() - file.metaTwoStart();
      gaps += file.blocksStart() - file.metaOneSize();
    }
    return new MapTotals(used, room - used, metaBytes, gaps);
  }

  private static long usedBytes(GlobalView.FileView file) {
    long used = 0;
    for (int rank = 0; rank < file.taskCount(); rank++) {
      for (int block = 0; block < file.blockCount(); block++) {
        used += file.bytesInBlock(rank, block);
      }
    }
    return used;
  }

  /** The counts of tasks, files and blocks. */
  String counts(GlobalView view) {
    return String.join(
        ", ",
        count(view.taskCount(), "task"),
        count(view.blockCount(), "block"),
        count(view.files().size(), "physical file"),
        words("block size %,d bytes", view.info().blockSize()));
  }

  /** Where the bytes are. */
  String bytes() {
    return words(
        "%,d bytes used, %.1f %% of the room in chunks; %,d bytes of holes, %,d of meta data, %,d"
            + " of gaps",
        used, used == 0 ? 0 : 100.0 * used / (used + holes), holes, metaBytes, gaps);
  }

  static String count(int count, String what) {
    return words("%,d %s%s", count, what, count == 1 ? "" : "s");
  }
}
