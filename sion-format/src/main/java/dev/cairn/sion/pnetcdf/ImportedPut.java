package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.log.LogWriter;
import dev.cairn.sion.log.Region;
import dev.cairn.sion.log.StridedBox;
import dev.cairn.sion.netcdf.Values;
import dev.cairn.sion.netcdf.Variable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes a put of PnetCDF into a log of our own, as cells of a NetCDF file. It becomes one record
 * unless it is large, has very many boxes, or several of a variable without dimensions.
 */
final class ImportedPut implements PutTarget {
  private static final int MOST_BYTES = 1 << 24;

  /** The head of a record has room for at least as many boxes of one dimension. */
  private static final int MOST_STARTS = 1 << 15;

  private final LogWriter log;
  private final StagedPut put;
  private final int cellSize;
  private final List<StridedBox> boxes = new ArrayList<>();
  private final List<ByteBuffer> cells = new ArrayList<>();
  private long byteCount;

  /** Takes {@code put}, whose variable has cells of {@code cellSize} bytes. */
  ImportedPut(LogWriter log, StagedPut put, int cellSize) {
    this.log = log;
    this.put = put;
    this.cellSize = cellSize;
  }

  @Override
  public int mostPieceSize() {
    int mostCells = MOST_BYTES / Math.max(cellSize, put.type().size());
    return mostCells * put.type().size();
  }

  @Override
  public void write(Variable target, PutPiece piece, Values values) throws IOException {
    ByteBuffer encoded = values.encodedAs(target.type());
    if (byteCount + encoded.remaining() > MOST_BYTES || boxes.size() == mostBoxes(target)) {
      finish();
    }
    boxes.add(piece.box());
    cells.add(encoded);
    byteCount += encoded.remaining();
  }

  private static int mostBoxes(Variable target) {
    int dimensions = target.dimensions().size();
    return dimensions == 0 ? 1 : Math.max(1, MOST_STARTS / dimensions);
  }

  /** Writes what was taken since the last record. */
  void finish() throws IOException {
    if (!boxes.isEmpty()) {
      log.put(new Region(put.variable(), cellSize, boxes), cells.toArray(ByteBuffer[]::new));
      boxes.clear();
      cells.clear();
      byteCount = 0;
    }
  }
}
