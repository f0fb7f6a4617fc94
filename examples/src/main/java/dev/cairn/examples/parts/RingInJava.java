package dev.cairn.examples.parts;

import dev.cairn.grid.Decomposition;
import dev.cairn.grid.Halo;
import dev.cairn.grid.Shape;
import dev.cairn.java.BlockingCommunicator;

/** A ring of cells in Java, whose halos are exchanged, and a message between two ranks. */
final class RingInJava {
  private RingInJava() {}

  // region ring
  /** Adds up the neighbours of every cell, and returns the sums of the rank before. */
  static double[] step(BlockingCommunicator ranks, long size) {
    var ring = Decomposition.rows(Shape.of(size), ranks.size());
    var halos = ranks.haloExchange(ring, Halo.of(1).periodic());
    double[] cells = new double[(int) halos.getWithin().cellCount()];
    for (int at = 0; at < cells.length; at++) {
      cells[at] = halos.getWithin().start(0) + at;
    }
    ranks.exchange(halos, cells);
    double[] sums = new double[cells.length - 2];
    for (int at = 0; at < sums.length; at++) {
      sums[at] = cells[at] + cells[at + 2];
    }
    ranks.send((ranks.rank() + 1) % ranks.size(), 7, sums);
    return ranks.receive((ranks.rank() + ranks.size() - 1) % ranks.size(), 7, double[].class);
  }
  // endregion
}
