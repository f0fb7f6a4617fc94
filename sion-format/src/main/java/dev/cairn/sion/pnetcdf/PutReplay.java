package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.NetcdfException;
import dev.cairn.sion.netcdf.NetcdfWriter;
import dev.cairn.sion.netcdf.Values;
import dev.cairn.sion.netcdf.Variable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes one put in a NetCDF file, piece by piece. */
final class PutReplay {
  /** The values of a piece are in memory; a put may have any number. */
  private static final int MOST_PIECE_SIZE = 1 << 18;

  private final NetcdfWriter target;
  private final BurstLog log;
  private final StagedPut put;
  private final Variable variable;
  private long lossCount;
  private NetcdfException.@Nullable OutOfRange firstLoss;

  PutReplay(NetcdfWriter target, BurstLog log, StagedPut put) {
    this.target = target;
    this.log = log;
    this.put = put;
    this.variable = target.spec().variables().get(put.variable());
  }

  void run() throws IOException {
    PutBoxes boxes = put.boxes();
    long firstCell = 0;
    for (int box = 0; box < boxes.boxCount(); box++) {
      if (boxes.cellCount(box) > 0) {
        write(PutPiece.of(boxes, box, firstCell));
      }
      firstCell += boxes.cellCount(box);
    }
  }

  /** Writes a piece, or its halves if it is large or has values out of range. */
  private void write(PutPiece piece) throws IOException {
    long cellCount = piece.cellCount();
    if (cellCount > MOST_PIECE_SIZE / put.type().size()) {
      writeHalves(piece);
      return;
    }
    try {
      target.write(variable.name(), piece.section(), valuesOf(piece, (int) cellCount));
    } catch (NetcdfException.OutOfRange loss) {
      if (cellCount > 1) {
        writeHalves(piece);
      } else {
        lossCount++;
        firstLoss = firstLoss == null ? loss : firstLoss;
      }
    }
  }

  private void writeHalves(PutPiece piece) throws IOException {
    for (PutPiece half : piece.halves()) {
      write(half);
    }
  }

  private Values valuesOf(PutPiece piece, int cellCount) throws IOException {
    int cellSize = put.type().size();
    ByteBuffer bytes =
        ByteBuffer.allocate(cellCount * cellSize).order(log.header().orElseThrow().order());
    log.read(put, piece.firstCell() * cellSize, bytes);
    MemoryType type = PutValues.typeFor(put.type(), variable.type(), target.spec().format());
    return PutValues.of(type, bytes.flip());
  }

  /** What was not written of it, as put {@code number} of its log. */
  Optional<RangeLoss> loss(int number) {
    return Optional.ofNullable(firstLoss)
        .map(first -> new RangeLoss(log.rank(), number, variable, lossCount, first.indices()));
  }
}
