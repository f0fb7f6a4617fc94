package dev.cairn.faces;

import dev.cairn.NetcdfOutput;
import dev.cairn.event.ExitCode;
import dev.cairn.grid.Box;
import dev.cairn.grid.Shape;
import dev.cairn.java.BlockingRanks;
import dev.cairn.java.BlockingSimulation;
import dev.cairn.options.SimulationOptions;
import dev.cairn.ranks.RankPlan;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.state.ElementType;
import java.nio.file.Path;
import java.util.List;

/** A NetCDF file of cells and rows that a program in Java keeps itself. */
public final class RecordsInJava {
  private RecordsInJava() {}

  /** Two records, of a cell and a row of each rank. */
  public static List<ExitCode> write(RankPlan plan, BlockStore files, Path store, Path file) {
    String[] options = {"--dir", store.toString()};
    return BlockingRanks.call(
        plan,
        ranks ->
            BlockingSimulation.simulate(
                ranks,
                "records",
                options,
                SimulationOptions.builder().build(),
                files,
                sim -> write(sim, file)));
  }

  private static void write(BlockingSimulation sim, Path file) {
    long rank = sim.rank();
    double[] own = new double[1];
    NetcdfOutput out =
        sim.netcdf(
                file,
                netcdf -> {
                  Box cell = Box.of(new long[] {rank}, new long[] {1});
                  netcdf.variable(
                      "v",
                      Shape.of(sim.size()),
                      ElementType.DOUBLE,
                      blocks -> blocks.block(cell, own));
                  netcdf.table(
                      "row",
                      sim.size(),
                      () -> List.of(rank),
                      Long::longValue,
                      rows -> rows.variable("twice", row -> 2.0 * row));
                })
            .named("out")
            .get();
    for (long step : sim.steps(2)) {
      own[0] = 10 * step + rank;
      if (sim.ranks().append(out) != step) {
        throw new IllegalStateException("a step has another record than its own");
      }
    }
  }
}
