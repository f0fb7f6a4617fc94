package dev.cairn.sion;

import dev.cairn.sion.field.FileWriter;
import dev.cairn.sion.file.FileEnd;
import dev.cairn.sion.format.EndiannessWord;
import dev.cairn.sion.format.FileHeader;
import dev.cairn.sion.format.FormatVersion;
import dev.cairn.sion.format.KeyValueMode;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.format.TaskColumns;
import dev.cairn.sion.format.UnusedBlocks;
import dev.cairn.sion.layout.Placement;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** The meta data of one physical file that is being written: its head, and its {@link FileEnd}. */
final class NewFile {
  /** The C library whose bytes we write. */
  private static final int LIBRARY_VERSION = 1007;

  private static final int PATCH_LEVEL = 6;
  private static final int SERIAL_FILE_NUMBER = 1;

  private final MultifileLayout layout;
  private final int fileNumber;
  private final FileLayout plan;

  NewFile(MultifileLayout layout, int fileNumber) {
    this.layout = layout;
    this.fileNumber = fileNumber;
    this.plan = layout.fileLayout(fileNumber);
  }

  /** Writes META1 up to its tail. Until the tail follows, the file counts as not closed. */
  void writeHead(FileWriter.Sink file) throws IOException {
    FileWriter out = new FileWriter(file, layout.spec().metaDataOrder(), 0);
    FileHeader.fields(out, header());
    TaskColumns.fields(out, plan.columns());
    out.flush();
  }

  /** What is written to close it. */
  FileEnd end() {
    return new FileEnd(
        layout.spec().metaDataOrder(),
        FormatVersion.V5,
        plan.geometry(),
        isMapped() ? UnusedBlocks.MINUS_ONE : UnusedBlocks.ZERO,
        mapping(),
        layout.fileCount());
  }

  private Optional<MappingTable> mapping() {
    if (layout.spec().dialect() == Dialect.SERIAL) {
      return Optional.of(MappingTable.NO_TASKS);
    }
    return fileNumber == 0 && (layout.fileCount() > 1 || isMapped())
        ? Optional.of(mapping(layout.placement()))
        : Optional.empty();
  }

  private boolean isMapped() {
    return layout.spec().dialect() == Dialect.MAPPED;
  }

  private static MappingTable mapping(Placement placement) {
    int[] files = new int[placement.taskCount()];
    int[] localRanks = new int[placement.taskCount()];
    Arrays.setAll(files, placement::file);
    Arrays.setAll(localRanks, placement::localRank);
    return new MappingTable(files, localRanks);
  }

  private FileHeader header() {
    MultifileSpec spec = layout.spec();
    boolean records = spec.content() == Content.RECORDS;
    return new FileHeader(
        EndiannessWord.of(spec.metaDataOrder(), spec.userDataOrder()),
        LIBRARY_VERSION,
        PATCH_LEVEL,
        FormatVersion.V5,
        spec.blockSize().orElseThrow(),
        plan.taskCount(),
        layout.fileCount(),
        spec.dialect() == Dialect.SERIAL ? SERIAL_FILE_NUMBER : fileNumber,
        (records ? KeyValueMode.INLINE : KeyValueMode.NONE).flag1(),
        0,
        layout.prefix());
  }
}
