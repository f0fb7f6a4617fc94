package dev.cairn.redistribution;

import java.nio.ByteBuffer;

/** Sees the bytes of a table's columns as they are digested: each column from front to back. */
@FunctionalInterface
public interface RowWitness {
  /** Sees nothing. */
  RowWitness NONE = (column, bytes) -> {};

  /** The next cells of the column with this place, between position and limit, little-endian. */
  void see(int column, ByteBuffer bytes);
}
