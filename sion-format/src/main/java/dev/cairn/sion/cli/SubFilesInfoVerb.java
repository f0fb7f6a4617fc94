package dev.cairn.sion.cli;

import dev.cairn.sion.subfiles.SubFileSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion subfiles info}: what a set of HDF5 sub-files consists of. */
@Command(
    name = "info",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
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
final class SubFilesInfoVerb implements Callable<Integer> {
  private final Shell shell;

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

  SubFilesInfoVerb(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException {
    try (SubFileSet set =
        SubFileSet.open(shell.store(), Path.of(config), SubFileSet.MissingBytes.ALLOW)) {
      try (TextOutput out = new TextOutput(shell.out())) {
        SubFilesReport report = new SubFilesReport(set, out);
        if (json) {
          report.printJson(config);
        } else {
          report.printText();
        }
      }
      return set.defects().isEmpty() || allowMissing ? SionCommand.DONE : SionCommand.FAILED;
    }
  }
}
