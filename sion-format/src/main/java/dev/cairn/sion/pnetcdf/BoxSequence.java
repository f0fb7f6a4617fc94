package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.stripe.Hyperslab;
import java.io.IOException;

/**
 * The boxes of a put that have cells, in the order in which they are written so that the right ones
 * count where they overlap: the one that is written last.
 *
 * @param boxes the boxes
 * @param order which box counts
 */
record BoxSequence(PutBoxes boxes, BurstReplay.OverlapOrder order) {
  /** What is done with a box, whose first cell has this number among all cells of the put. */
  interface Visitor {
    void visit(Hyperslab box, long firstCell) throws IOException;
  }

  void forEach(Visitor visitor) throws IOException {
    boolean isForward = order != BurstReplay.OverlapOrder.FIRST;
    long cellsBefore = isForward ? 0 : boxes.cellCount();
    for (int next = 0; next < boxes.boxCount(); next++) {
      Hyperslab box = boxes.box(isForward ? next : boxes.boxCount() - 1 - next);
      long cells = box.cellCount();
      if (cells > 0) {
        visitor.visit(box, isForward ? cellsBefore : cellsBefore - cells);
      }
      cellsBefore += isForward ? cells : -cells;
    }
  }
}
