package dev.cairn.sion.cli;

import dev.cairn.command.JsonWriter;
import dev.cairn.command.Shell;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.log.LogReader;
import dev.cairn.sion.pnetcdf.BurstLogName;
import dev.cairn.sion.pnetcdf.BurstLogSet;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion log inspect}: what logs hold. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Prints what logs hold: their headers, their entries, and how far they can be used.",
      "A LOG is a directory of logs of PnetCDF, one of their files, a log of Cairn, or a "
          + "directory of such logs."
    },
    footer = {
      "",
      "With --json it prints one object, with all boxes of each put. 'pnetcdf' has an object "
          + "for the logs of each program and NetCDF file, 'cairn' one for each log.",
      "",
      "Example: sion log inspect /local/bb"
    })
final class LogInspectVerb implements Callable<Integer> {
  private final Shell<BlockStore> shell;

  @Option(names = "--json", description = "Prints JSON instead.")
  private boolean json;

  @Parameters(paramLabel = "LOG", arity = "1..*", description = "Logs, or directories of them.")
  private List<String> arguments = List.of();

  LogInspectVerb(Shell<BlockStore> shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException {
    FoundLogs found = FoundLogs.of(shell.store(), arguments);
    try (TextOutput out = new TextOutput(shell.out())) {
      boolean isWhole = json ? printJson(found, out) : printText(found, out);
      return isWhole ? SionCommand.DONE : SionCommand.FAILED;
    }
  }

  private boolean printText(FoundLogs found, TextOutput out) throws IOException {
    boolean isWhole = true;
    for (List<BurstLogName> names : found.pnetcdf().values()) {
      try (BurstLogSet set = BurstLogSet.open(shell.store(), names)) {
        new BurstLogText(out).print(set);
        isWhole &= set.isWhole();
      }
    }
    for (Path directory : found.cairn()) {
      try (LogReader log = LogReader.open(shell.store(), directory)) {
        CairnLogReport report = new CairnLogReport(directory, log);
        report.printText(out);
        isWhole &= report.isUsable();
      }
    }
    return isWhole;
  }

  private boolean printJson(FoundLogs found, TextOutput out) throws IOException {
    boolean isWhole = true;
    JsonWriter writer = new JsonWriter(out);
    writer.beginObject().name("pnetcdf").beginArray();
    for (List<BurstLogName> names : found.pnetcdf().values()) {
      try (BurstLogSet set = BurstLogSet.open(shell.store(), names)) {
        new BurstLogJson(writer.line()).print(set);
        isWhole &= set.isWhole();
      }
    }
    writer.endArray().name("cairn").beginArray();
    for (Path directory : found.cairn()) {
      try (LogReader log = LogReader.open(shell.store(), directory)) {
        CairnLogReport report = new CairnLogReport(directory, log);
        report.printJson(writer.line());
        isWhole &= report.isUsable();
      }
    }
    writer.endArray().endObject();
    out.line();
    return isWhole;
  }
}
