package dev.cairn.sion.cli;

import dev.cairn.command.NumberFormats;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.GlobalView;
import dev.cairn.sion.cli.Usage.Tally;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** What siondump always prints: read the strings below from top to bottom. */
final class SummaryText {
  /** What stands before and behind the parts for single tasks. */
  static final String RULE = "-".repeat(155);

  private static final int NAME_WIDTH = 30;

  private final TextOutput out;
  private final GlobalView view;
  private final GlobalView.Info info;

  SummaryText(TextOutput out, GlobalView view) {
    this.out = out;
    this.view = view;
    this.info = view.info();
  }

  /**
   * Prints all of it.
   *
   * @param file the name that the user gave
   */
  void print(String file) throws IOException {
    printNames(file);
    printFlags();
    Usage usage = Usage.of(view);
    printChunks(usage);
    printFileSystemBlocks(usage);
  }

  private void printNames(String file) throws IOException {
    line("sid:                       %d", view.spansFiles() ? 1 : 0);
    line("filename:                  %s", padded(file));
    line("prefix:                    %s", padded(info.prefix()));
    line("number of tasks:           %d", view.taskCount());
    line("current endianness:        %s", ByteOrderName.of(ByteOrder.nativeOrder()));
    line("file endianness:           %s", ByteOrderName.of(info.userDataOrder()));
    line("filesystem blocksize:      %d bytes (%6s MB)", info.blockSize(), mb(info.blockSize()));
    line("file set:                  %s", info.fileCount() > 1 ? "Yes" : "No");
    line("file number:               %d", info.fileNumber());
    line("number of files:           %d", info.fileCount());
  }

  private void printFlags() throws IOException {
    long flag1 = info.flag1();
    int mode = keyValueMode();
    int version = info.libraryVersion();
    int patch = info.patchLevel();

    line("flag1:                     %d (%d+%d)", flag1, flag1 >> 32, (int) flag1);
    line("flag2:                     %d", info.flag2());
    line("keyval:                    %d (%s)", mode, nameOfMode(mode));
    line("file format version:       %d", info.formatVersion());
    line(
        "file SIONlib version:      %d.%dp%d (current 1.7p6)",
        version / 1000, version % 1000, patch);
    line("number of blocks:           %d", view.blockCount());
  }

  private void printChunks(Usage usage) throws IOException {
    long overhead = usage.chunkBytes - usage.dataBytes;

    bytes("size of chunks:                        ", usage.chunkBytes);
    bytes("datasize in file (aggr.):              ", usage.dataBytes);
    chunks("size of full chunks:                   ", usage.fullChunks);
    chunks("size of partly filled chunks:          ", usage.partlyFilledChunks);
    chunks("size of empty chunks:                  ", usage.emptyChunks);
    bytes("overhead compared to task-local file:  ", overhead);
    percent("file usage (user data/chunk size):   ", usage.dataBytes, usage.chunkBytes);
  }

  private void printFileSystemBlocks(Usage usage) throws IOException {
    Tally full = usage.fullBlocks;
    Tally partly = usage.partlyUsedBlocks;
    long used = full.count + partly.count;
    long size = info.blockSize();

    blocks("fsblocks, size of used blocks:         ", used, used * size);
    blocks("fsblocks, size of fully used blocks:   ", full.count, full.bytes);
    partlyUsedBlocks("fsblocks, size of partly used blocks:  ", partly, partly.count * size);
    percent("fsblocks, used fsblocks/chunk size:   ", used * size, usage.chunkBytes);
    percent("fsblocks, user data/used blocks:      ", usage.dataBytes, used * size);
  }

  private void bytes(String label, long bytes) throws IOException {
    line(label + "%12d bytes  (%8s MB)", bytes, mb(bytes));
  }

  private void chunks(String label, Tally chunks) throws IOException {
    long bytes = chunks.bytes;
    line(label + "%12d bytes  (%8s MB) # %6d", bytes, mb(bytes), chunks.count);
  }

  private void blocks(String label, long count, long bytes) throws IOException {
    line(label + "%12d bytes  (%8s MB, %d blocks)", bytes, mb(bytes), count);
  }

  private void partlyUsedBlocks(String label, Tally blocks, long size) throws IOException {
    line(
        label + "%12d bytes of %12d bytes (%6s MB of %6s MB, %d blocks)",
        blocks.bytes,
        size,
        mb(blocks.bytes),
        mb(size),
        blocks.count);
  }

  /** Without data there is no share, and no line for it. */
  private void percent(String label, long part, long whole) throws IOException {
    if (whole > 0) {
      line(label + "%14s%%", NumberFormats.percent(part, whole));
    }
  }

  private void line(String layout, Object... values) throws IOException {
    out.line("siondump: " + layout, values);
  }

  private static String mb(long bytes) {
    return NumberFormats.megabytes(bytes);
  }

  /** C counts the bytes of a name, not its characters. */
  private static String padded(String name) {
    int width = name.getBytes(StandardCharsets.UTF_8).length;
    return name + " ".repeat(Math.max(0, NAME_WIDTH - width));
  }

  /** Before format 5, and where a writer of format 5 set no mode, there are no keys. */
  private int keyValueMode() {
    int mode = (int) (info.flag1() >> 32);
    return info.formatVersion() < 5 || mode == 0 ? 50 : mode;
  }

  private static String nameOfMode(int mode) {
    return switch (mode) {
      case 50 -> "SION_KEYVAL_NONE";
      case 51 -> "SION_KEYVAL_INLINE";
      case 52 -> "SION_KEYVAL_META";
      case 53 -> "SION_KEYVAL_HASH";
      case 54 -> "SION_KEYVAL_UNKNOWN";
      default -> "unknown";
    };
  }
}
