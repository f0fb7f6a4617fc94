package dev.cairn.sion.cli;

import dev.cairn.command.JsonWriter;
import dev.cairn.command.TextOutput;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion log inspect}: what logs hold. */
@Command(
    name = "inspect",
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
final class LogInspectVerb extends Verb {
  @Option(names = "--json", description = "Prints JSON instead.")
  private boolean json;

  @Parameters(paramLabel = "LOG", arity = "1..*", description = "Logs, or directories of them.")
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws IOException {
    FoundLogs found = FoundLogs.of(store(), arguments);
    try (TextOutput out = new TextOutput(shell().out())) {
      boolean areWhole =
          json ? printJson(found, out) : printEach(found.all(), logs -> logs.printText(out));
      return areWhole ? SionCommand.DONE : SionCommand.FAILED;
    }
  }

  private boolean printJson(FoundLogs found, TextOutput out) throws IOException {
    JsonWriter writer = new JsonWriter(out);
    writer.beginObject().name("pnetcdf").beginArray();
    boolean areWhole = printEach(found.programs(), logs -> logs.printJson(writer.line()));
    writer.endArray().name("cairn").beginArray();
    areWhole &= printEach(found.ownLogs(), log -> log.printJson(writer.line()));
    writer.endArray().endObject();
    out.line();
    return areWhole;
  }

  private interface Printing {
    void print(Inspection inspection) throws IOException;
  }

  /** Returns whether all are whole. */
  private boolean printEach(List<Inspection.Opening> logs, Printing printing) throws IOException {
    boolean areWhole = true;
    for (Inspection.Opening log : logs) {
      try (Inspection inspection = log.open(store())) {
        printing.print(inspection);
        areWhole &= inspection.isWhole();
      }
    }
    return areWhole;
  }
}
