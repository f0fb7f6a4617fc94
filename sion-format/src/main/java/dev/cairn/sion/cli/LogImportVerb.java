package dev.cairn.sion.cli;

import dev.cairn.sion.pnetcdf.BurstImport;
import dev.cairn.sion.pnetcdf.BurstLogSet;
import dev.cairn.sion.pnetcdf.RangeLoss;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion log import}: logs of PnetCDF as logs of our own format. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Writes the puts in logs of PnetCDF as logs of Cairn, which have checksums.",
      "The values get the types of their variables. DIR gets a directory for the log of each"
          + " process, with its rank as its name; the logs of PnetCDF stay as they are."
    },
    footer = {
      "",
      "Values that a variable cannot have become its fill value; a sentence on standard error names"
          + " each put with such values, and the exit code is 1. Puts without cells are left out.",
      "",
      "The log of a process is sealed if that of PnetCDF was whole. Nothing is overwritten.",
      "",
      "Example: sion log import --for ckpt.nc --to logs /local/bb"
    })
final class LogImportVerb implements Callable<Integer> {
  private final Shell shell;

  @Option(
      names = "--for",
      required = true,
      paramLabel = "FILE",
      description = "The NetCDF file for which the logs were written; its header is read.")
  private String file = "";

  @Option(
      names = "--to",
      required = true,
      paramLabel = "DIR",
      description = "The directory for the logs of Cairn; it is made if it is missing.")
  private String directory = "";

  @Option(
      names = "--available",
      description = "Takes the puts that are there if some logs are missing or damaged.")
  private boolean available;

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description = "Files of logs of PnetCDF, or directories of them.")
  private List<String> arguments = List.of();

  LogImportVerb(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException {
    FoundLogs found = FoundLogs.of(shell.store(), arguments);
    try (BurstLogSet set = BurstLogSet.open(shell.store(), found.ofPnetcdf())) {
      UsableLogs.require(shell, set, available);
      BurstImport made = BurstImport.open(shell.store(), Path.of(file), set);
      List<RangeLoss> losses = run(made);
      losses.forEach(loss -> shell.say("sion: " + loss + "."));
      print(set, made);
      return losses.isEmpty() ? SionCommand.DONE : SionCommand.FAILED;
    }
  }

  private List<RangeLoss> run(BurstImport made) throws IOException {
    Path target = NewDirectory.at(shell.store(), directory);
    try (Progress progress = new Progress(shell, "import to " + directory, made.valueBytes())) {
      return made.run(target, progress::advance);
    }
  }

  private void print(BurstLogSet set, BurstImport made) throws IOException {
    try (TextOutput out = new TextOutput(shell.out())) {
      out.line("%s: imported from %s; bytes %d", directory, set.name(), made.valueBytes());
    }
  }
}
