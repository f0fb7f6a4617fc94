package dev.cairn.sion.pnetcdf;

import java.io.IOException;
import java.util.List;

/**
 * The puts of some logs, in the order in which they are made so that the right ones count where
 * they overlap: the one that is made last.
 *
 * @param logs the logs by rank
 * @param order which puts count
 */
record PutSequence(List<BurstLog> logs, BurstReplay.OverlapOrder order) {
  /** What is done with a put. */
  interface Visitor {
    void visit(BurstLog log, int number, StagedPut put) throws IOException;
  }

  void forEach(Visitor visitor) throws IOException {
    boolean isForward = order != BurstReplay.OverlapOrder.FIRST;
    for (int index = 0; index < logs.size(); index++) {
      BurstLog log = logs.get(isForward ? index : logs.size() - 1 - index);
      for (int next = 0; next < log.putCount(); next++) {
        int number = isForward ? next : log.putCount() - 1 - next;
        visitor.visit(log, number, log.put(number));
      }
    }
  }
}
