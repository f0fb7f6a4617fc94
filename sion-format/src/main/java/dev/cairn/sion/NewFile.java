package dev.cairn.sion;

import dev.cairn.sion.format.BlockTable;
import dev.cairn.sion.format.EndiannessWord;
import dev.cairn.sion.format.FieldWriter;
import dev.cairn.sion.format.FileHeader;
import dev.cairn.sion.format.FileTail;
import dev.cairn.sion.format.FormatVersion;
import dev.cairn.sion.format.KeyValueMode;
import dev.cairn.sion.format.MappingTable;
import dev.cairn.sion.format.MetaOne;
import dev.cairn.sion.format.TaskColumns;
import dev.cairn.sion.format.UnusedBlocks;
import dev.cairn.sion.layout.BlockGeometry;
import dev.cairn.sion.layout.Placement;
import dev.cairn.sion.store.BlockFile;
import java.io.IOException;
import java.util.Arrays;

/**
 * The meta data of one physical file that is being written: first its head, at the end the rest.
 */
final class NewFile {
  /** The C library whose bytes we write. */
  private static final int LIBRARY_VERSION = 1007;

  private static final int PATCH_LEVEL = 6;
  private static final int SERIAL_FILE_NUMBER = 1;

  private final MultifileLayout layout;
  private final int fileNumber;
  private final FileLayout plan;
  private final BlockFile file;

  NewFile(MultifileLayout layout, int fileNumber, BlockFile file) {
    this.layout = layout;
    this.fileNumber = fileNumber;
    this.plan = layout.fileLayout(fileNumber);
    this.file = file;
  }

  /** Writes META1 up to its tail. Until the tail follows, nobody takes the file for closed. */
  void writeHead() throws IOException {
    FieldWriter out = writerAt(0);
    FileHeader.fields(out, header());
    TaskColumns.fields(out, plan.columns());
    out.flush();
  }

  /** Writes META2, and behind it the mapping where the dialect wants one. */
  void writeMetaTwo(BlockTable blocks) throws IOException {
    FieldWriter out = writerAt(plan.geometry().metaTwoStart(blocks.maxBlocks()));
    BlockTable.fields(out, blocks, unusedBlocks());
    writeMapping(out);
    out.flush();
  }

  /** Points META1 to META2: from now on the file counts as closed. */
  void writeTail(BlockTable blocks) throws IOException {
    BlockGeometry geometry = plan.geometry();
    int maxBlocks = blocks.maxBlocks();
    FieldWriter out = writerAt(MetaOne.tailOffset(FormatVersion.V5, plan.taskCount()));
    FileTail tail = new FileTail(maxBlocks, geometry.metaTwoStart(maxBlocks));
    FileTail.fields(out, tail, geometry::metaTwoStart);
    out.flush();
  }

  private UnusedBlocks unusedBlocks() {
    return layout.spec().dialect() == Dialect.MAPPED ? UnusedBlocks.MINUS_ONE : UnusedBlocks.ZERO;
  }

  private void writeMapping(FieldWriter out) throws IOException {
    if (layout.spec().dialect() == Dialect.SERIAL) {
      MappingTable.countField(out, 0);
    } else if (fileNumber == 0 && needsMapping()) {
      MappingTable.countField(out, layout.taskCount());
      MappingTable.fields(out, mapping(layout.placement()), layout.fileCount());
    }
  }

  private boolean needsMapping() {
    return layout.fileCount() > 1 || layout.spec().dialect() == Dialect.MAPPED;
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

  private FieldWriter writerAt(long position) {
    return new FieldWriter(file::write, layout.spec().metaDataOrder(), position);
  }
}
