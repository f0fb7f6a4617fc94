package dev.cairn.mpi;

import dev.cairn.StateBuilder;
import dev.cairn.grid.Box;
import dev.cairn.grid.Decomposition;
import dev.cairn.grid.Shape;
import dev.cairn.java.BlockingCheckpoints;
import dev.cairn.java.BlockingCommunicator;
import dev.cairn.options.CheckpointOptions;
import dev.cairn.state.Codecs;
import dev.cairn.state.ElementType;
import dev.cairn.state.StreamRule;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * A program with MPI of its own, some of whose processes compute and go on from a checkpoint. It
 * notes whatever Cairn calls on another thread than the one that called Cairn.
 */
public final class OwnRestart {
  /** Something that belongs to the rank in whose slice of the line, from 0 until 1, it is. */
  public record Grain(long id, double place) {}

  private static final Shape LINE = Shape.of(60);
  private static final int GRAIN_COUNT = 30;

  private final Thread caller = Thread.currentThread();
  private final Intracomm solvers;
  private final Box box;
  private final long[] cells;
  private List<Grain> grains;
  private long total;
  private long visits;
  private long strayCalls;

  private OwnRestart(Intracomm solvers, BlockingCommunicator ranks) {
    this.solvers = solvers;
    this.box = Decomposition.rows(LINE, ranks.size()).boxes(ranks.rank()).get(0);
    this.cells = new long[(int) box.cellCount()];
    this.grains =
        LongStream.range(0, GRAIN_COUNT)
            .mapToObj(id -> new Grain(id, id * 7 % GRAIN_COUNT / (double) GRAIN_COUNT))
            .filter(grain -> slice(grain, ranks.size()) == ranks.rank())
            .toList();
  }

  /** A directory of checkpoints, how many processes compute, and the last step. */
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int process = MPI.COMM_WORLD.getRank();
    boolean computes = process < Integer.parseInt(args[1]);
    // The first of the world is the last among the solvers.
    Intracomm part = MPI.COMM_WORLD.split(computes ? 0 : 1, -process);
    if (computes) {
      compute(part, Path.of(args[0]), Long.parseLong(args[2]));
    }
    MPI.COMM_WORLD.barrier();
    MPI.Finalize();
  }

  private static void compute(Intracomm solvers, Path directory, long until) throws MPIException {
    // region own-restart
    try (Cairn cairn = Cairn.over(solvers)) {
      OwnRestart program = new OwnRestart(solvers, cairn.ranks());
      try (BlockingCheckpoints checkpoints =
          BlockingCheckpoints.open(
              cairn.ranks(), directory, program.options(), state -> program.declare(state))) {
        long first = checkpoints.restore().map(found -> found.step()).orElse(0L);
        for (long step = first; step < until; step++) {
          program.advance();
          if ((step + 1) % 5 == 0) {
            checkpoints.save(step + 1);
          }
        }
        program.report(first);
      }
    }
    // endregion
  }

  private CheckpointOptions options() {
    return CheckpointOptions.builder().listener(event -> noteThread()).build();
  }

  private void declare(StateBuilder state) {
    noteThread();
    state.field("cells", LINE, ElementType.LONG, blocks -> blocks.block(box, cells));
    state.rows(
        "grains",
        Grain.class,
        () -> noted(grains),
        restored -> grains = noted(restored),
        rules -> rules.owner((grain, rankCount) -> noted(slice(grain, rankCount))));
    state.replicated("total", Codecs.LONG, () -> noted(total), value -> total = noted(value));
    state.accumulator(
        "visits",
        Codecs.LONG,
        () -> noted(visits),
        part -> visits = noted(part),
        0L,
        (one, other) -> noted(one + other));
    state.stream(
        "journal",
        target -> target.write(noted(1)),
        source -> noted(source.readAllBytes()),
        new StreamRule.Deal(
            sources -> {
              noteThread();
              for (InputStream source : sources) {
                noted(source.readAllBytes());
              }
            }));
  }

  /** Each cell grows by its own number, and the program's own MPI adds up by how much. */
  private void advance() throws MPIException {
    long growth = 0;
    for (int index = 0; index < cells.length; index++) {
      cells[index] += box.start(0) + index + 1;
      growth += box.start(0) + index + 1;
    }
    total += sums(growth)[0];
    visits += cells.length;
  }

  /** What all solvers have together, on the first of them. */
  private void report(long first) throws MPIException {
    long weighted = 0;
    for (int index = 0; index < cells.length; index++) {
      weighted += cells[index] * (box.start(0) + index + 1);
    }
    int rank = solvers.getRank();
    int size = solvers.getSize();
    long atHome = grains.stream().filter(grain -> slice(grain, size) == rank).count();
    long[] all = sums(weighted, visits, grains.size(), atHome, strayCalls);
    if (rank == 0) {
      // In one piece, or what other processes print may come between: printf writes piece by piece.
      System.out.println(
          String.format(
              "%d solvers from step %d: cells %d, total %d, visits %d, grains %d, at home %d, stray"
                  + " calls %d",
              size, first, all[0], total, all[1], all[2], all[3], all[4]));
    }
  }

  private long[] sums(long... own) throws MPIException {
    long[] all = new long[own.length];
    solvers.allReduce(own, all, own.length, MPI.LONG, MPI.SUM);
    return all;
  }

  private static int slice(Grain grain, int rankCount) {
    return (int) (grain.place() * rankCount);
  }

  private <T> T noted(T value) {
    noteThread();
    return value;
  }

  private synchronized void noteThread() {
    if (Thread.currentThread() != caller) {
      strayCalls++;
    }
  }
}
