package dev.cairn.examples;

import dev.cairn.DoubleField;
import dev.cairn.NetcdfOutput;
import dev.cairn.Variable;
import dev.cairn.java.BlockingSimulation;
import java.nio.file.Path;
import java.util.Arrays;

/** Heat that is written into a NetCDF file: the same program, and the same bytes, as in Kotlin. */
public final class HeatOutputInJava {
  private HeatOutputInJava() {}

  /** Takes the file, and then the options. */
  public static void main(String[] args) {
    String[] options = Arrays.copyOfRange(args, 1, args.length);
    BlockingSimulation.main(
        "heat-output", options, sim -> heat(sim, Path.of(args[0]), 512, 2_000, 50));
  }

  // region output
  static void heat(BlockingSimulation sim, Path file, long size, long until, long every) {
    DoubleField u = sim.doubles(size, size, 1, (i, j) -> i < 0 ? 100.0 : 0.0).named("u").get();
    Variable<Double> time = sim.replicated(0.0).named("time");
    NetcdfOutput out =
        sim.netcdf(
                file,
                netcdf -> {
                  netcdf.variable("time", "s", time::get);
                  netcdf.variable(u, "temperature", "degree_Celsius");
                })
            .named("out")
            .get();
    for (long step : sim.steps(until)) {
      if (step % every == 0) {
        sim.ranks().append(out);
      }
      sim.ranks().exchangeHalo(u);
      u.update((i, j) -> u.get(i, j) + 0.2 * HeatInJava.neighbours(u, i, j));
      time.set((step + 1) * 0.1);
    }
  }
  // endregion
}
