package dev.cairn.sion.cli;

import dev.cairn.command.Progress;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.pnetcdf.BurstLogSet;
import dev.cairn.sion.pnetcdf.BurstReplay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sion log replay}: makes the puts of logs in their NetCDF file. */
@Command(
    name = "replay",
    description = {
      "Writes the values in logs of PnetCDF into the NetCDF file for which they were meant.",
      "The file, which PnetCDF has made with its header, is changed in place; the logs stay as "
          + "they are. A replay that was interrupted is done again, and so can any other."
    },
    footer = {
      "",
      "Values that a variable cannot have become its fill value, as PnetCDF writes them; a sentence"
          + " on standard error names each put with such values, and the exit code is 1. With"
          + " --available it is 0 although logs are missing: sentences name them.",
      "",
      "Logs do not say whether they were flushed, and which puts were cancelled. A replay into a"
          + " file that was changed since then brings back older values: rehearse it with"
          + " --dry-run.",
      "",
      "Example: sion log replay --dry-run --into ckpt.nc /local/bb"
    })
final class LogReplayVerb extends BurstLogVerb {
  @Option(
      names = "--into",
      required = true,
      paramLabel = "FILE",
      description = "The NetCDF file, of format CDF-1, CDF-2 or CDF-5.")
  private String file = "";

  @Option(
      names = "--dry-run",
      description =
          "Does all but write: prints what would be put to each variable, where puts overlap, and "
              + "how many records there would be.")
  private boolean dryRun;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description =
          "Which put counts where several overlap: last (the default; by rank, then by time),"
              + " first, pnetcdf (the one whose cells PnetCDF takes when it flushes all of a log at"
              + " once), or error (none: overlaps are refused).")
  private ReplayOrder order = ReplayOrder.LAST;

  @Option(
      names = "--flush-size",
      paramLabel = "BYTES",
      description =
          "With --order pnetcdf, for flushes of so many bytes of values of a process: what the"
              + " program gave as the hint nc_burst_buf_flush_buffer_size.")
  private @Nullable Long flushSize;

  @Override
  public Integer call() throws IOException {
    if (flushSize != null && order != ReplayOrder.PNETCDF) {
      throw wrong("--flush-size is for --order pnetcdf: give both, or none of them");
    }
    if (flushSize != null && flushSize < 1) {
      throw wrong("--flush-size should be at least 1, but is " + flushSize);
    }
    return super.call();
  }

  @Override
  int use(BurstLogSet set) throws IOException {
    try (BurstReplay replay = open(set)) {
      long oldRecordCount = replay.oldRecordCount();
      if (dryRun) {
        printShares(replay);
      }
      List<BurstReplay.RangeLoss> losses = run(replay);
      losses.forEach(loss -> complain(loss + "."));
      print(
          "%s: %s; bytes %d, records %d before, %d after",
          file,
          dryRun ? "not changed" : "replayed",
          replay.valueBytes(),
          oldRecordCount,
          replay.newRecordCount());
      return losses.isEmpty() ? SionCommand.DONE : SionCommand.FAILED;
    }
  }

  private BurstReplay open(BurstLogSet set) throws IOException {
    return dryRun
        ? BurstReplay.rehearse(store(), Path.of(file), set)
        : BurstReplay.open(store(), Path.of(file), set);
  }

  private List<BurstReplay.RangeLoss> run(BurstReplay replay) throws IOException {
    try (Progress progress = new Progress(shell(), "replay into " + file, replay.valueBytes())) {
      return order == ReplayOrder.PNETCDF
          ? replay.runAsPnetcdf(flushSize == null ? 0 : flushSize, progress::advance)
          : replay.run(BurstReplay.OverlapOrder.valueOf(order.name()), progress::advance);
    }
  }

  private void printShares(BurstReplay replay) throws IOException {
    try (TextOutput out = new TextOutput(shell().out())) {
      for (BurstReplay.VariableShare share : replay.shares()) {
        out.line(
            "%s: puts %d, values %d, cells %d, overlapping %d",
            share.name(),
            share.putCount(),
            share.valueCount(),
            share.cellCount(),
            share.overlappingCount());
      }
    }
  }
}
