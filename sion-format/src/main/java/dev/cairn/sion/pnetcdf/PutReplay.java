package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.NetcdfSpec;
import dev.cairn.sion.netcdf.Values;
import dev.cairn.sion.netcdf.Variable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes a put, piece by piece. Values that its variable cannot have become the fill value. */
final class PutReplay {
  private final NetcdfSpec spec;
  private final RangeLosses losses;
  private final BurstLog log;
  private final int number;
  private final StagedPut put;
  private final Variable variable;

  /**
   * For put {@code number} of {@code log}.
   *
   * @param spec that of the file to which the put belongs, which has its variable
   * @param losses counts the values out of range
   */
  PutReplay(NetcdfSpec spec, RangeLosses losses, BurstLog log, int number, StagedPut put) {
    this.spec = spec;
    this.losses = losses;
    this.log = log;
    this.number = number;
    this.put = put;
    this.variable = spec.variables().get(put.variable());
  }

  /** Writes all boxes. */
  void run(OverlapOrder order, PutTarget target) throws IOException {
    PutBoxes boxes = put.boxes();
    new BoxSequence(boxes, order)
        .forEach((box, firstCell) -> write(PutPiece.of(boxes, box, firstCell), target));
  }

  /** Writes a piece, or its halves if it is large. */
  void write(PutPiece piece, PutTarget target) throws IOException {
    long cellCount = piece.cellCount();
    if (cellCount > target.mostPieceSize() / put.type().size()) {
      for (PutPiece half : piece.halves()) {
        write(half, target);
      }
    } else {
      Values values = valuesOf(piece, (int) cellCount);
      ByteBuffer cells =
          values.encodedFor(
              variable, misfit -> losses.add(log.rank(), number, variable, piece.indices(misfit)));
      target.write(variable, piece, Values.ofCells(variable.type(), cells));
    }
  }

  private Values valuesOf(PutPiece piece, int cellCount) throws IOException {
    int cellSize = put.type().size();
    ByteBuffer bytes =
        ByteBuffer.allocate(cellCount * cellSize).order(log.header().orElseThrow().order());
    log.read(put, piece.firstCell() * cellSize, bytes);
    MemoryType type = PutValues.typeFor(put.type(), variable.type(), spec.format());
    return PutValues.of(type, bytes.flip());
  }
}
