package org.example.squares;

import dev.cairn.Variable;
import dev.cairn.java.BlockingSimulation;
import java.util.Arrays;

/** Adds up the squares of the steps until the one that the first argument names. */
public final class Squares {
  private Squares() {}

  public static void main(String[] args) {
    long until = Long.parseLong(args[0]);
    String[] options = Arrays.copyOfRange(args, 1, args.length);
    BlockingSimulation.main("squares", options, sim -> squares(sim, until));
  }

  private static void squares(BlockingSimulation sim, long until) {
    Variable<Long> sum = sim.replicated(0L).named("sum");
    int stepCount = 0;
    for (long step : sim.steps(until)) {
      sum.set(sum.get() + step * step);
      stepCount++;
    }
    if (sim.rank() == 0) {
      System.out.println("sum " + sum.get() + " after " + stepCount + " more steps");
    }
  }
}
