package dev.cairn.sion.netcdf;

import dev.cairn.sion.store.PositionedOutput;
import dev.cairn.sion.stripe.Extent;
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

  /**
   * Writes all of {@code values}, which fit into cells, to as many, and behind them what {@link
   * #fill} would write there if {@code isPadded}.
   */
  void write(Selection extents, Values values, boolean isPadded) throws IOException {
    int cellSize = place.variable().type().size();
    int cellBytes = (int) Math.min(LARGEST_PIECE, (long) values.count() * cellSize);
    ByteBuffer piece = ByteBuffer.allocate(cellBytes + place.padding());
    int done = 0;
    for (Extent extent : extents) {
      long next = extent.offset();
      while (next < extent.end()) {
        int size = (int) Math.min(cellBytes, extent.end() - next);
        Cells cells = Cells.of(place.variable().type(), piece.clear().limit(size));
        Conversion.write(values, done, cells);
        done += cells.count();
        if (isPadded && place.isBeforePadding(next + size)) {
          pad(piece.position(size).limit(size + place.padding()));
        }
        file.write(next, piece.duplicate().position(0));
        next += size;
      }
    }
  }

  private void pad(ByteBuffer rest) {
    ByteBuffer fill = place.variable().fillValue().bytes();
    while (rest.hasRemaining()) {
      rest.put(fill.duplicate());
    }
  }

  /** Writes the fill value to all cells, and behind them, where NetCDF does so, too. */
  void fill(Selection extents, long cellCount) throws IOException {
    // Extents are whole cells, and padding follows cells whose size divides a word.
    int cellSize = place.variable().type().size();
    long byteCount = Math.min(LARGEST_PIECE, cellCount) * cellSize + place.padding();
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(LARGEST_PIECE, byteCount));
    pad(piece.duplicate());
    for (Extent extent : extents) {
      int padding = place.isBeforePadding(extent.end()) ? place.padding() : 0;
      long end = extent.end() + padding;
      for (long next = extent.offset(); next < end; next += piece.limit()) {
        piece.clear().limit((int) Math.min(piece.capacity(), end - next));
        file.write(next, piece.duplicate());
      }
    }
  }
}
