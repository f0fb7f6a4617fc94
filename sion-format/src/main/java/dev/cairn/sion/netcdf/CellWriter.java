package dev.cairn.sion.netcdf;

import dev.cairn.sion.store.PositionedOutput;
import dev.cairn.sion.stripe.LogicalExtent;
import dev.cairn.sion.stripe.Selection;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes values to the extents of a section, one piece at a time. */
final class CellWriter {
  private static final int LARGEST_PIECE = 1 << 18;

  private final PositionedOutput file;
  private final VariablePlace place;

  CellWriter(PositionedOutput file, VariablePlace place) {
    this.file = file;
    this.place = place;
  }

  /** Writes all of {@code values}, which fit into cells, to as many. */
  void write(Selection extents, Values values) throws IOException {
    int cellSize = place.variable().type().size();
    ByteBuffer piece = piece((long) values.count() * cellSize);
    int done = 0;
    for (LogicalExtent extent : extents) {
      for (long next = extent.offset(); next < extent.end(); next += piece.limit()) {
        piece.clear().limit((int) Math.min(piece.capacity(), extent.end() - next));
        Cells cells = Cells.of(place.variable().type(), piece);
        Conversion.write(values, done, cells);
        done += cells.count();
        file.write(next, piece.duplicate());
      }
    }
  }

  /** Writes the fill value to all cells, and behind them, where NetCDF does so, too. */
  void fill(Selection extents, long cellCount) throws IOException {
    ByteBuffer fill = place.variable().fillValue().bytes();
    // Extents are whole cells, and padding follows cells whose size divides a word.
    ByteBuffer piece =
        piece(Math.min(LARGEST_PIECE, cellCount) * fill.remaining() + place.padding());
    while (piece.hasRemaining()) {
      piece.put(fill.duplicate());
    }
    for (LogicalExtent extent : extents) {
      int padding = place.isBeforePadding(extent.end()) ? place.padding() : 0;
      long end = extent.end() + padding;
      for (long next = extent.offset(); next < end; next += piece.limit()) {
        piece.clear().limit((int) Math.min(piece.capacity(), end - next));
        file.write(next, piece.duplicate());
      }
    }
  }

  private static ByteBuffer piece(long byteCount) {
    return ByteBuffer.allocate((int) Math.min(LARGEST_PIECE, byteCount));
  }
}
