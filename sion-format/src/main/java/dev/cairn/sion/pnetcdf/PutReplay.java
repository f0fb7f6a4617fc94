package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.NetcdfSpec;
import dev.cairn.sion.netcdf.Values;
import dev.cairn.sion.netcdf.Variable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Makes one put, piece by piece. Values that its variable cannot have become its fill value. */
final class PutReplay {
  private final NetcdfSpec spec;
  private final PutTarget target;
  private final BurstLog log;
  private final StagedPut put;
  private final Variable variable;
  private long lossCount;
  private long[] firstLoss = {};

  /** {@code spec} is that of the file to which the put belongs, and has its variable. */
  PutReplay(NetcdfSpec spec, PutTarget target, BurstLog log, StagedPut put) {
    this.spec = spec;
    this.target = target;
    this.log = log;
    this.put = put;
    this.variable = spec.variables().get(put.variable());
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

  /** Writes a piece, or its halves if it is large. */
  private void write(PutPiece piece) throws IOException {
    long cellCount = piece.cellCount();
    if (cellCount > target.mostPieceSize() / put.type().size()) {
      for (PutPiece half : piece.halves()) {
        write(half);
      }
    } else {
      Values values = valuesOf(piece, (int) cellCount);
      ByteBuffer cells = values.encodedFor(variable, index -> lose(piece.indices(index)));
      target.write(variable, piece, Values.ofCells(variable.type(), cells));
    }
  }

  private void lose(long[] indices) {
    firstLoss = lossCount == 0 ? indices : firstLoss;
    lossCount++;
  }

  private Values valuesOf(PutPiece piece, int cellCount) throws IOException {
    int cellSize = put.type().size();
    ByteBuffer bytes =
        ByteBuffer.allocate(cellCount * cellSize).order(log.header().orElseThrow().order());
    log.read(put, piece.firstCell() * cellSize, bytes);
    MemoryType type = PutValues.typeFor(put.type(), variable.type(), spec.format());
    return PutValues.of(type, bytes.flip());
  }

  /** What became the fill value of it, as put {@code number} of its log. */
  Optional<RangeLoss> loss(int number) {
    return lossCount == 0
        ? Optional.empty()
        : Optional.of(new RangeLoss(log.rank(), number, variable, lossCount, firstLoss));
  }
}
