package dev.cairn.sion.cli;

import dev.cairn.command.Shell;
import dev.cairn.sion.store.BlockStore;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sion subfiles}: the verbs for sets of HDF5 sub-files. */
@Command(
    name = "subfiles",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    description = {
      "Reads and makes sets of HDF5 sub-files.",
      "Such a set is written by HDF5's sub-filing driver: a stub, a configuration and the "
          + "sub-files, to which the bytes of one HDF5 file are dealt. No HDF5 library is needed."
    },
    footer = {
      "",
      "Each verb has its own help: sion subfiles assemble --help",
      "",
      "Example: sion subfiles info x.h5.subfile_5230.config"
    })
final class SubFilesVerb implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  private SubFilesVerb() {}

  static CommandLine withVerbs(Shell<BlockStore> shell) {
    return new CommandLine(new SubFilesVerb())
        .addSubcommand("info", new SubFilesInfoVerb(shell))
        .addSubcommand("verify", new SubFilesVerifyVerb(shell))
        .addSubcommand("assemble", new SubFilesAssembleVerb(shell))
        .addSubcommand("stripe", new SubFilesStripeVerb(shell));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Which verb? info, verify, assemble or stripe");
  }
}
