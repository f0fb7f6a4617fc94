package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.Values;
import dev.cairn.sion.netcdf.Variable;
import java.io.IOException;

/** Where the values of puts go. */
interface PutTarget {
  /** The most bytes of values that it takes at once, as they are in the log. */
  int mostPieceSize();

  /** Takes values of the type of {@code variable}. */
  void write(Variable variable, PutPiece piece, Values values) throws IOException;
}
