package dev.cairn.examples;

import dev.cairn.DoubleField;
import dev.cairn.Variable;
import dev.cairn.java.BlockingSimulation;
import dev.cairn.testing.RestartTrial;

/** Heat spreads over a plate whose upper edge is hot: the same program as in Kotlin. */
public final class HeatInJava {
  private HeatInJava() {}

  // region heat
  public static void main(String[] args) {
    BlockingSimulation.main("heat", args, sim -> heat(sim, 512, 2_000));
  }

  static void heat(BlockingSimulation sim, long size, long until) {
    DoubleField u = sim.doubles(size, size, 1, (i, j) -> i < 0 ? 100.0 : 0.0).named("u").get();
    Variable<Double> time = sim.replicated(0.0).named("time");
    for (long step : sim.steps(until)) {
      sim.ranks().exchangeHalo(u);
      u.update((i, j) -> u.get(i, j) + 0.2 * neighbours(u, i, j));
      time.set((step + 1) * 0.1);
    }
  }

  // endregion

  static double neighbours(DoubleField u, long i, long j) {
    return u.get(i - 1, j) + u.get(i + 1, j) + u.get(i, j - 1) + u.get(i, j + 1) - 4 * u.get(i, j);
  }

  // region trial
  /** What a unit test of this program says. */
  static void restartChangesNothing() {
    new RestartTrial(4, 17).run(sim -> heat(sim, 16, 30));
  }
  // endregion
}
