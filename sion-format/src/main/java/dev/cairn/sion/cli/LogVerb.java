package dev.cairn.sion.cli;

import dev.cairn.command.Shell;
import dev.cairn.sion.store.BlockStore;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sion log}: the verbs for logs of writes that have not reached their place. */
@Command(
    name = "log",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    description = {
      "Reads, replays and deletes logs of writes that have not reached their place.",
      "PnetCDF's burst-buffer driver leaves such logs when a program is stopped before it flushes,"
          + " and PnetCDF itself cannot read them. Programs that write NetCDF files with Cairn keep"
          + " in logs of Cairn's own format what is not in the file yet; what is left of them is"
          + " not needed for a restart."
    },
    footer = {
      "",
      "Each verb has its own help: sion log replay --help",
      "",
      "Example: sion log inspect /local/bb"
    })
final class LogVerb implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  private LogVerb() {}

  static CommandLine withVerbs(Shell<BlockStore> shell) {
    return new CommandLine(new LogVerb())
        .addSubcommand("inspect", new LogInspectVerb(shell))
        .addSubcommand("verify", new LogVerifyVerb(shell))
        .addSubcommand("replay", new LogReplayVerb(shell))
        .addSubcommand("extract", new LogExtractVerb(shell))
        .addSubcommand("export", new LogExportVerb(shell))
        .addSubcommand("discard", new LogDiscardVerb(shell));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Which verb? inspect, verify, replay, extract, export or discard");
  }
}
