package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.NetcdfLayout;
import dev.cairn.sion.stripe.Hyperslab;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The puts of one process that PnetCDF merges into one write, in an order in which the cells that
 * it takes are written last.
 *
 * <p>PnetCDF makes a request of each box, or of each record of a box if its variable has records,
 * and sorts all by their first bytes in the file. Where some interleave, it cuts them into runs of
 * cells that are neighbours in the last dimension, sorts those likewise, and takes of each only
 * bytes that no earlier run has. All sorting is stable, so what was put first comes first of what
 * begins at the same byte. It is all kept in memory.
 */
final class MergedFlush {
  private final NetcdfLayout layout;
  private final long recordCount;
  private final List<Request> requests = new ArrayList<>();

  /**
   * What goes to one box, in one record.
   *
   * @param number the number of the put in its log
   * @param firstCell the number of the first cell among all cells of the put
   * @param begin where its first cell begins in the file
   * @param end where its last cell ends
   */
  private record Request(
      int number, StagedPut put, Hyperslab cells, long firstCell, long begin, long end) {}

  /** Run {@code index} of a request, which begins at byte {@code begin} of the file. */
  private record Run(Request request, long index, long begin) {}

  /** What is done with cells of put {@code number}, of which the first one has this number. */
  interface Visitor {
    void visit(int number, StagedPut put, Hyperslab cells, long firstCell) throws IOException;
  }

  /** Without puts, for a file that will have {@code recordCount} records. */
  MergedFlush(NetcdfLayout layout, long recordCount) {
    this.layout = layout;
    this.recordCount = recordCount;
  }

  /** Adds put {@code number} of the log, behind those that were added before. */
  void add(int number, StagedPut put) throws IOException {
    boolean hasRecords = layout.spec().variables().get(put.variable()).isRecordVariable();
    new BoxSequence(put.boxes(), BurstReplay.OverlapOrder.LAST)
        .forEach(
            (box, firstCell) -> {
              long next = firstCell;
              for (long record = 0; record < (hasRecords ? box.count(0) : 1); record++) {
                Hyperslab cells = hasRecords ? box.part(0, record, 1) : box;
                requests.add(request(number, put, cells, next));
                next += cells.cellCount();
              }
            });
  }

  private Request request(int number, StagedPut put, Hyperslab cells, long firstCell) {
    int cellSize = layout.spec().variables().get(put.variable()).type().size();
    long begin = offset(put, cells, 0);
    long end = offset(put, cells, cells.cellCount() - 1) + cellSize;
    return new Request(number, put, cells, firstCell, begin, end);
  }

  /** Where cell {@code cell} of some begins in the file. */
  private long offset(StagedPut put, Hyperslab cells, long cell) {
    long[] index = cells.indices(cell);
    long[] one = new long[index.length];
    Arrays.fill(one, 1);
    String variable = layout.spec().variables().get(put.variable()).name();
    return layout
        .extents(variable, Hyperslab.of(index, one), recordCount)
        .iterator()
        .next()
        .offset();
  }

  void forEach(Visitor visitor) throws IOException {
    requests.sort(Comparator.comparingLong(Request::begin));
    int from = 0;
    while (from < requests.size()) {
      long end = requests.get(from).end();
      int to = from + 1;
      while (to < requests.size() && requests.get(to).begin() < end) {
        end = Math.max(end, requests.get(to).end());
        to++;
      }
      visit(requests.subList(from, to), visitor);
      from = to;
    }
  }

  /** Those that interleave, directly or through others between them. */
  private void visit(List<Request> interleaved, Visitor visitor) throws IOException {
    if (interleaved.size() == 1) {
      Request only = interleaved.get(0);
      visitor.visit(only.number(), only.put(), only.cells(), only.firstCell());
      return;
    }
    List<Run> runs = new ArrayList<>();
    for (Request request : interleaved) {
      long cellsOfRun = request.cells().runLength();
      for (long index = 0; index < request.cells().cellCount() / cellsOfRun; index++) {
        long begin = offset(request.put(), request.cells(), index * cellsOfRun);
        runs.add(new Run(request, index, begin));
      }
    }
    runs.sort(Comparator.comparingLong(Run::begin));
    for (int last = runs.size() - 1; last >= 0; last--) {
      Request request = runs.get(last).request();
      Hyperslab run = request.cells().run(runs.get(last).index());
      long firstCell = request.firstCell() + runs.get(last).index() * run.cellCount();
      visitor.visit(request.number(), request.put(), run, firstCell);
    }
  }
}
