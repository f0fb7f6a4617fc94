package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.netcdf.NetcdfLayout;
import dev.cairn.sion.netcdf.Section;
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
   * @param begin where its first cell begins in the file
   * @param end where its last cell ends
   */
  private record Request(int number, StagedPut put, PutPiece piece, long begin, long end) {}

  /** Run {@code index} of a request, which begins at byte {@code begin} of the file. */
  private record Run(Request request, long index, long begin) {}

  /** What is done with a piece of put {@code number}. */
  interface Visitor {
    void visit(int number, StagedPut put, PutPiece piece) throws IOException;
  }

  /** Without puts, for a file that will have {@code recordCount} records. */
  MergedFlush(NetcdfLayout layout, long recordCount) {
    this.layout = layout;
    this.recordCount = recordCount;
  }

  /** Adds put {@code number} of the log, behind those that were added before. */
  void add(int number, StagedPut put) throws IOException {
    PutBoxes boxes = put.boxes();
    boolean hasRecords = layout.spec().variables().get(put.variable()).isRecordVariable();
    new BoxSequence(boxes, OverlapOrder.LAST)
        .forEach(
            (box, firstCell) -> {
              PutPiece piece = PutPiece.of(boxes, box, firstCell);
              for (long record = 0; record < (hasRecords ? boxes.count(box, 0) : 1); record++) {
                requests.add(request(number, put, hasRecords ? piece.slice(record) : piece));
              }
            });
  }

  private Request request(int number, StagedPut put, PutPiece piece) {
    int cellSize = layout.spec().variables().get(put.variable()).type().size();
    long begin = offset(put, piece, 0);
    return new Request(
        number, put, piece, begin, offset(put, piece, piece.cellCount() - 1) + cellSize);
  }

  /** Where cell {@code cell} of a piece begins in the file. */
  private long offset(StagedPut put, PutPiece piece, long cell) {
    long[] index = piece.indices(cell);
    long[] one = new long[index.length];
    Arrays.fill(one, 1);
    String variable = layout.spec().variables().get(put.variable()).name();
    return layout.extents(variable, Section.of(index, one), recordCount).iterator().next().offset();
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
      visitor.visit(only.number(), only.put(), only.piece());
      return;
    }
    List<Run> runs = new ArrayList<>();
    for (Request request : interleaved) {
      long cellsOfRun = request.piece().runLength();
      for (long index = 0; index < request.piece().cellCount() / cellsOfRun; index++) {
        long begin = offset(request.put(), request.piece(), index * cellsOfRun);
        runs.add(new Run(request, index, begin));
      }
    }
    runs.sort(Comparator.comparingLong(Run::begin));
    for (int last = runs.size() - 1; last >= 0; last--) {
      Request request = runs.get(last).request();
      visitor.visit(request.number(), request.put(), request.piece().run(runs.get(last).index()));
    }
  }
}
