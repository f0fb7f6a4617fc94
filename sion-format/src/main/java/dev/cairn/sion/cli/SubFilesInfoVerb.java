package dev.cairn.sion.cli;

import dev.cairn.command.JsonWriter;
import dev.cairn.command.TextOutput;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion subfiles info}: what a set of HDF5 sub-files consists of. */
@Command(
    name = "info",
    description = {
      "Prints what a set of sub-files consists of, and what is missing or unusual.",
      "Sub-files and stub are looked for beside CONFIG, and only if no sub-file is there, in the "
          + "directory that CONFIG names."
    },
    footer = {
      "",
      "With --json it prints one object. 'subFiles' has an object for each sub-file, without "
          + "'size' if it is missing; 'holes' are the offset and length of each part of the HDF5 "
          + "file that no sub-file holds.",
      "",
      "Example: sion subfiles info x.h5.subfile_5230.config"
    })
final class SubFilesInfoVerb extends Verb {
  @Option(names = "--json", description = "Prints JSON instead.")
  private boolean json;

  @Option(
      names = "--allow-missing",
      description = "An incomplete set is no failure: the exit code is 0.")
  private boolean allowMissing;

  @Parameters(
      paramLabel = "CONFIG",
      description = "The configuration of the set; its name ends in .config.")
  private String config = "";

  @Override
  public Integer call() throws IOException {
    try (SubFiles set = new SubFiles(store(), config);
        TextOutput out = new TextOutput(shell().out())) {
      if (json) {
        set.printJson(new JsonWriter(out));
        out.line();
      } else {
        set.printText(out);
      }
      return set.isWhole() || allowMissing ? SionCommand.DONE : SionCommand.FAILED;
    }
  }
}
