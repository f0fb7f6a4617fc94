package dev.cairn.sion.netcdf;

import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.stripe.LogicalExtent;
import dev.cairn.sion.stripe.Selection;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads values from the extents of a section, one piece at a time. */
final class CellReader {
  private static final int LARGEST_PIECE = 1 << 18;

  private final BlockFile file;
  private final VariablePlace place;

  CellReader(BlockFile file, VariablePlace place) {
    this.file = file;
    this.place = place;
  }

  /** Fills {@code values} with the cells of {@code section}, which are as many. */
  void read(Section section, Selection extents, Values values) throws IOException {
    NetcdfType type = place.variable().type();
    ByteBuffer piece =
        ByteBuffer.allocate((int) Math.min(LARGEST_PIECE, (long) values.count() * type.size()));
    int done = 0;
    for (LogicalExtent extent : extents) {
      for (long next = extent.offset(); next < extent.end(); next += piece.limit()) {
        piece.clear().limit((int) Math.min(piece.capacity(), extent.end() - next));
        file.readFully(next, piece);
        Cells cells = Cells.of(type, piece.flip());
        requireFit(section, cells, done, values.type());
        Conversion.read(cells, values, done);
        done += cells.count();
      }
    }
  }

  private void requireFit(Section section, Cells cells, int done, NetcdfType type)
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
