package dev.cairn.sion.cli;

import dev.cairn.command.Progress;
import dev.cairn.command.Refusal;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.pnetcdf.BurstExport;
import dev.cairn.sion.pnetcdf.BurstLogName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion log export}: logs of our own format as logs of PnetCDF. */
@Command(
    name = "export",
    description = {
      "Writes the puts in logs of Cairn as logs of PnetCDF, of the layout of 1.13.0 and later.",
      "The logs are those of one NetCDF file and one run; those of each host can be exported for"
          + " themselves. 'sion log replay' and 'sion log extract' take what is exported."
    },
    footer = {
      "",
      "Notes are left out.",
      "",
      "A program that is started again needs no log that it left: it puts again what its file does"
          + " not have. A log of a killed program lacks what was still in memory.",
      "",
      "Example: sion log export --for heat.nc --to bb /local/heat.nc-*"
    })
final class LogExportVerb extends Verb {
  @Option(
      names = "--for",
      required = true,
      paramLabel = "FILE",
      description = "The NetCDF file for which the puts are; its header is read.")
  private String file = "";

  @Option(
      names = "--to",
      required = true,
      paramLabel = "DIR",
      description = "The directory for the logs of PnetCDF; it is made if it is missing.")
  private String directory = "";

  @Option(
      names = "--available",
      description = "Takes the records before the damage if logs are damaged.")
  private boolean available;

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description = "Logs of Cairn, or directories of them.")
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws IOException {
    List<Path> logs = FoundLogs.of(store(), arguments).ofCairn();
    BurstExport export = BurstExport.open(store(), Path.of(file), logs);
    requireUsable(export);
    Path target = Path.of(directory);
    if (!store().exists(target)) {
      store().makeDirectory(target);
    }
    List<BurstLogName> names;
    try (Progress progress = new Progress(shell(), "export to " + directory, export.valueBytes())) {
      names = export.run(target, progress::advance);
    }
    try (TextOutput out = new TextOutput(shell().out())) {
      for (BurstLogName name : names) {
        out.text(name.meta().toString()).line();
        out.text(name.data().toString()).line();
      }
      out.line(
          "%s: exported; processes %d, puts %d, bytes %d",
          directory, names.size(), export.putCount(), export.valueBytes());
    }
    return SionCommand.DONE;
  }

  private void requireUsable(BurstExport export) throws Refusal {
    complain(export.losses());
    if (!export.losses().isEmpty() && !available) {
      throw new Refusal(
          "the logs are not whole, and nothing was done. --available takes the rest.");
    }
  }
}
