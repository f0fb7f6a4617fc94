package org.example.shares;

import dev.cairn.Variable;
import dev.cairn.java.BlockingSimulation;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Adds up squares, a hundred in each step until the one that the first argument names. The ranks
 * share those of a step: under {@code mpirun} each rank is a process, and without it each is a
 * thread.
 */
public final class Shares {
  private static final int NUMBERS_OF_STEP = 100;

  private Shares() {}

  public static void main(String[] args) {
    long until = Long.parseLong(args[0]);
    String[] options = Arrays.copyOfRange(args, 1, args.length);
    BlockingSimulation.main("shares", options, sim -> add(sim, until));
  }

  private static void add(BlockingSimulation sim, long until) {
    Variable<Long> sum = sim.replicated(0L).named("sum");
    for (long step : sim.steps(until)) {
      sum.set(sum.get() + sim.ranks().allReduce(share(step, sim.rank(), sim.size()), Long::sum));
    }
    if (sim.rank() == 0) {
      System.out.println("sum " + sum.get() + " on " + sim.size() + " ranks");
    }
  }

  private static long share(long step, int rank, int size) {
    long end = NUMBERS_OF_STEP * (step + 1);
    return LongStream.iterate(end - NUMBERS_OF_STEP + rank, n -> n < end, n -> n + size)
        .map(n -> n * n)
        .sum();
  }
}
