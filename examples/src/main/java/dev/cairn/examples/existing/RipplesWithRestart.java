package dev.cairn.examples.existing;

import dev.cairn.StateBuilder;
import dev.cairn.grid.Box;
import dev.cairn.grid.Shape;
import dev.cairn.java.BlockingCheckpoints;
import dev.cairn.mpi.Cairn;
import dev.cairn.state.ElementType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;

/**
 * The same code after Cairn has come: it keeps its communicator, its arrays and its loop, survives
 * {@code kill -9}, and goes on with any number of processes.
 */
public final class RipplesWithRestart {
  private static final int ROWS = 48;
  private static final int COLUMNS = 32;
  private static final int WALKERS = 40;
  private static final int TAG = 7;

  private final Comm comm;
  private final int rank;
  private final int size;
  private final int firstRow;
  private final int rowCount;

  /** The height of each cell, with a row of other processes above and below. */
  private double[] now;

  /** A step earlier. */
  private double[] before;

  private long[] walkers;
  private double[] places;

  /** Takes the number of steps, and the directory of the checkpoints. */
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    new RipplesWithRestart(MPI.COMM_WORLD).run(Long.parseLong(args[0]), Path.of(args[1]));
    MPI.Finalize();
  }

  private RipplesWithRestart(Comm comm) throws MPIException {
    this.comm = comm;
    this.rank = comm.getRank();
    this.size = comm.getSize();
    this.firstRow = ROWS * rank / size;
    this.rowCount = ROWS * (rank + 1) / size - firstRow;
    this.now = new double[(rowCount + 2) * COLUMNS];
    for (int row = 0; row < rowCount; row++) {
      for (int column = 1; column < COLUMNS - 1; column++) {
        double distance = Math.hypot(firstRow + row - 12, column - 9);
        now[(row + 1) * COLUMNS + column] = Math.exp(-distance * distance / 8);
      }
    }
    this.before = now.clone();
    this.walkers = LongStream.range(0, WALKERS).filter(id -> id % size == rank).toArray();
    this.places = new double[walkers.length];
  }

  private void run(long until, Path directory) throws MPIException {
    try (Cairn cairn = Cairn.over(comm);
        BlockingCheckpoints checkpoints =
            BlockingCheckpoints.open(cairn.ranks(), directory, this::declare)) {
      long first = checkpoints.restore().map(found -> found.step()).orElse(0L);
      for (long step = first; step < until; step++) {
        advance(step);
        if ((step + 1) % 10 == 0) {
          checkpoints.save(step + 1);
        }
      }
    }
    report(until);
  }

  private void declare(StateBuilder state) {
    Shape shape = Shape.of(ROWS, COLUMNS);
    Box own = Box.of(new long[] {firstRow, 0}, new long[] {rowCount, COLUMNS});
    Box within = Box.of(new long[] {firstRow - 1, 0}, new long[] {rowCount + 2, COLUMNS});
    state.field("now", shape, ElementType.DOUBLE, blocks -> blocks.block(own, now, within));
    state.field("before", shape, ElementType.DOUBLE, blocks -> blocks.block(own, before, within));
    state.table(
        "walkers",
        columns -> {
          columns.column("id", long[].class, () -> walkers, restored -> walkers = restored);
          columns.column("place", double[].class, () -> places, restored -> places = restored);
          columns.positionFree();
        });
  }

  private void advance(long step) throws MPIException {
    exchange(1, rank - 1, rowCount + 1, rank + 1);
    exchange(rowCount, rank + 1, 0, rank - 1);
    double[] next = new double[now.length];
    for (int row = 1; row <= rowCount; row++) {
      for (int at = row * COLUMNS + 1; at < (row + 1) * COLUMNS - 1; at++) {
        double around = now[at - 1] + now[at + 1] + now[at - COLUMNS] + now[at + COLUMNS];
        next[at] = 2 * now[at] - before[at] + 0.2 * (around - 4 * now[at]);
      }
    }
    before = now;
    now = next;
    for (int walker = 0; walker < walkers.length; walker++) {
      places[walker] += stride(walkers[walker], step);
    }
  }

  /** Sends one of this process' rows to a neighbour, and receives one of the other neighbour's. */
  private void exchange(int sent, int target, int received, int source) throws MPIException {
    double[] out = Arrays.copyOfRange(now, sent * COLUMNS, (sent + 1) * COLUMNS);
    double[] in = new double[COLUMNS];
    int to = neighbour(target);
    int from = neighbour(source);
    comm.sendRecv(out, COLUMNS, MPI.DOUBLE, to, TAG, in, COLUMNS, MPI.DOUBLE, from, TAG);
    if (from != MPI.PROC_NULL) {
      System.arraycopy(in, 0, now, received * COLUMNS, COLUMNS);
    }
  }

  private int neighbour(int process) {
    return process < 0 || process == size ? MPI.PROC_NULL : process;
  }

  /** A function of the walker and the step, so it does not matter which process takes it. */
  private static double stride(long walker, long step) {
    long mixed = (walker * 0x9E3779B97F4A7C15L + step) * 0xBF58476D1CE4E5B9L;
    return ((mixed ^ (mixed >>> 31)) >> 11) * 0x1p-53;
  }

  /** The sums of all bits are the same, however many processes add them up. */
  private void report(long step) throws MPIException {
    long[] own = new long[2];
    for (int at = COLUMNS; at < (rowCount + 1) * COLUMNS; at++) {
      own[0] += Double.doubleToLongBits(now[at]) * ((firstRow - 1L) * COLUMNS + at + 1);
    }
    for (int walker = 0; walker < walkers.length; walker++) {
      own[1] += Double.doubleToLongBits(places[walker]) * (walkers[walker] + 1);
    }
    long[] all = new long[2];
    comm.allReduce(own, all, 2, MPI.LONG, MPI.SUM);
    if (rank == 0) {
      System.out.println(String.format("step %d: wave %016x, walkers %016x", step, all[0], all[1]));
    }
  }
}
