package dev.cairn.examples.parts;

import dev.cairn.sion.netcdf.NetcdfFormat;
import dev.cairn.sion.netcdf.NetcdfLayout;
import dev.cairn.sion.netcdf.NetcdfReader;
import dev.cairn.sion.netcdf.NetcdfSpec;
import dev.cairn.sion.netcdf.NetcdfType;
import dev.cairn.sion.netcdf.NetcdfWriter;
import dev.cairn.sion.netcdf.Values;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.FileBlockStore;
import dev.cairn.sion.stripe.Hyperslab;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** A wave in a NetCDF file, one record for each step. */
public final class WaveFileInJava {
  private static final BlockStore STORE = new FileBlockStore();

  private WaveFileInJava() {}

  /** The height of the wave at each of 8 points. */
  static double[] heights(int step) {
    return IntStream.range(0, 8).mapToDouble(x -> Math.sin(x + 0.1 * step)).toArray();
  }

  // region write
  static void write(Path path) throws IOException {
    NetcdfSpec spec =
        NetcdfSpec.builder(NetcdfFormat.CDF_2)
            .unlimited("time")
            .dimension("x", 8)
            .attribute("title", "a wave")
            .variable("time", NetcdfType.INT, "time")
            .variable(
                "height",
                NetcdfType.FLOAT,
                List.of("time", "x"),
                height -> height.attribute("units", "m"))
            .build();
    try (NetcdfWriter file = NetcdfWriter.create(STORE, path, NetcdfLayout.plan(spec))) {
      for (int step = 0; step < 3; step++) {
        file.write("time", Hyperslab.at(step), Values.of(new int[] {step}));
        file.write("height", Hyperslab.at(step), Values.of(heights(step))); // double becomes float
        file.force();
        file.raiseRecordCount(step + 1); // from now on readers see the record
      }
      file.force();
    }
  }

  // endregion

  // region read
  static double[] readEverySecondPoint(Path path) throws IOException {
    try (NetcdfReader file = NetcdfReader.open(STORE, path)) {
      long last = file.recordCount() - 1;
      Hyperslab section = Hyperslab.of(new long[] {last, 0}, new long[] {1, 4}, new long[] {1, 2});
      return file.readDoubles("height", section);
    }
  }
  // endregion
}
