package dev.cairn.sion.netcdf;

import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.stripe.Extent;
import dev.cairn.sion.stripe.Hyperslab;
import dev.cairn.sion.stripe.Selection;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads values from the extents of a section, one piece at a time. */
final class CellReader {
  private static final int LARGEST_PIECE = 1 << 18;

  private final BlockFile file;
  private final VariablePlace place;
  private final long fileSize;

  /** Cells behind {@code fileSize} are zeros. */
  CellReader(BlockFile file, VariablePlace place, long fileSize) {
    this.file = file;
    this.place = place;
    this.fileSize = fileSize;
  }

  /** Fills {@code values} with the cells of {@code section}, which are as many. */
  void read(Hyperslab section, Selection extents, Values values) throws IOException {
    NetcdfType type = place.variable().type();
    ByteBuffer piece =
        ByteBuffer.allocate((int) Math.min(LARGEST_PIECE, (long) values.count() * type.size()));
    int done = 0;
    for (Extent extent : extents) {
      for (long next = extent.offset(); next < extent.end(); next += piece.limit()) {
        piece.clear().limit((int) Math.min(piece.capacity(), extent.end() - next));
        Cells cells = Cells.of(type, filled(piece, next));
        requireFit(section, cells, done, values.type());
        Conversion.read(cells, values, done);
        done += cells.count();
      }
    }
  }

  /** Fills {@code piece} with what the file has from {@code position} on, and zeros behind it. */
  private ByteBuffer filled(ByteBuffer piece, long position) throws IOException {
    int end = piece.limit();
    int there = (int) Math.max(0, Math.min(end, fileSize - position));
    if (there > 0) {
      file.readFully(position, piece.limit(there));
    }
    while (piece.limit(end).hasRemaining()) {
      piece.put((byte) 0);
    }
    return piece.flip();
  }

  private void requireFit(Hyperslab section, Cells cells, int done, NetcdfType type)
      throws NetcdfException.OutOfRange {
    int misfit = Conversion.firstMisfit(cells, type);
    if (misfit >= 0) {
      throw new NetcdfException.OutOfRange(
          file.path(),
          place.variable().name(),
          section.indices(done + misfit),
          cells.text(misfit),
          type,
          "Read it into an array of a wider type.");
    }
  }
}
