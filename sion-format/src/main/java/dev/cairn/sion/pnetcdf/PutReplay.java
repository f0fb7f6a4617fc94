package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.NetcdfWriter;
import dev.cairn.sion.netcdf.Values;
import dev.cairn.sion.netcdf.Variable;
import dev.cairn.sion.stripe.Hyperslab;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes a put, piece by piece. Values that its variable cannot have become the fill value. */
final class PutReplay {
  /** The bytes of values that are in memory at once. */
  private static final int MOST_PIECE_SIZE = 1 << 18;

  private final NetcdfWriter target;
  private final RangeLosses losses;
  private final BurstLog log;
  private final int number;
  private final StagedPut put;
  private final Variable variable;

  /**
   * For put {@code number} of {@code log}.
   *
   * @param target the file to which the put belongs, which has its variable
   * @param losses counts the values out of range
   */
  PutReplay(NetcdfWriter target, RangeLosses losses, BurstLog log, int number, StagedPut put) {
    this.target = target;
    this.losses = losses;
    this.log = log;
    this.number = number;
    this.put = put;
    this.variable = target.spec().variables().get(put.variable());
  }

  /** Writes all boxes. */
  void run(BurstReplay.OverlapOrder order) throws IOException {
    new BoxSequence(put.boxes(), order).forEach(this::write);
  }

  /**
   * Writes a part of a box, or its halves if it is large.
   *
   * @param firstCell the number of its first cell among all cells of the put
   */
  void write(Hyperslab cells, long firstCell) throws IOException {
    if (cells.cellCount() > MOST_PIECE_SIZE / put.type().size()) {
      long next = firstCell;
      for (Hyperslab half : cells.halves()) {
        write(half, next);
        next += half.cellCount();
      }
    } else {
      Values values = values(firstCell, (int) cells.cellCount());
      ByteBuffer encoded =
          values.encodedFor(
              variable, misfit -> losses.add(log.rank(), number, variable, cells.indices(misfit)));
      target.write(variable.name(), cells, Values.ofCells(variable.type(), encoded));
    }
  }

  private Values values(long firstCell, int cellCount) throws IOException {
    int cellSize = put.type().size();
    ByteBuffer bytes =
        ByteBuffer.allocate(cellCount * cellSize).order(log.header().orElseThrow().order());
    log.read(put, firstCell * cellSize, bytes);
    StagedPut.MemoryType type =
        PutValues.typeFor(put.type(), variable.type(), target.spec().format());
    return PutValues.of(type, bytes.flip());
  }
}
