package dev.cairn.mpi;

import dev.cairn.StateBuilder;
import dev.cairn.event.CheckpointException;
import dev.cairn.grid.Decomposition;
import dev.cairn.grid.Shape;
import dev.cairn.java.BlockingCheckpoints;
import dev.cairn.options.CheckpointOptions;
import dev.cairn.state.Codecs;
import dev.cairn.state.ElementType;
import java.nio.file.Path;
import mpi.MPI;
import mpi.MPIException;

/**
 * A program with MPI of its own that checks its restart; one of its ranks may drop what comes back.
 */
public final class CheckedRestart {
  private static final Shape LINE = Shape.of(12);

  private final int rank;
  private final int size;
  private final boolean dropsTime;
  private final long[] cells;
  private long time;

  private CheckedRestart(int rank, int size, boolean dropsTime) {
    this.rank = rank;
    this.size = size;
    this.dropsTime = dropsTime;
    this.cells = new long[12 / size];
  }

  /** A directory of checkpoints, and the rank that drops the time that comes back; -1 for none. */
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    try (Cairn cairn = Cairn.over(MPI.COMM_WORLD)) {
      int rank = cairn.ranks().rank();
      boolean dropsTime = rank == Integer.parseInt(args[1]);
      CheckedRestart program = new CheckedRestart(rank, cairn.ranks().size(), dropsTime);
      program.run(cairn, Path.of(args[0]));
    }
    MPI.Finalize();
  }

  private void run(Cairn cairn, Path directory) {
    CheckpointOptions options = CheckpointOptions.builder().checkRestart(true).build();
    try (BlockingCheckpoints checkpoints =
        BlockingCheckpoints.open(cairn.ranks(), directory, options, this::declare)) {
      for (long step = 1; step <= 4; step++) {
        advance();
        checkpoints.save(step);
      }
      print("continued to time " + time + " with " + cells[0]);
    } catch (CheckpointException.StateDiffers failure) {
      print(failure.getItems() + ", " + failure.getMessage());
    }
  }

  private void declare(StateBuilder state) {
    state.field(
        "cells",
        LINE,
        ElementType.LONG,
        blocks -> blocks.block(Decomposition.rows(LINE, size).boxes(rank).get(0), cells));
    state.replicated("time", Codecs.LONG, () -> time, this::take);
  }

  private void take(long restored) {
    if (!dropsTime) {
      time = restored;
    }
  }

  private void advance() {
    time++;
    for (int index = 0; index < cells.length; index++) {
      cells[index] += rank + 1;
    }
  }

  private void print(String sentence) {
    System.out.println("rank " + rank + ": " + sentence);
  }
}
