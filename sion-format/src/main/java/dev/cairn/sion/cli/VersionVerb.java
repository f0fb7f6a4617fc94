package dev.cairn.sion.cli;

import dev.cairn.command.Shell;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.store.BlockStore;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code sion version}: which version this is, in one line. */
@Command(
    name = "version",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Prints the version of this command and of the format.",
    footer = {"", "Example: sion version"})
final class VersionVerb implements Callable<Integer> {
  private final Shell<BlockStore> shell;

  VersionVerb(Shell<BlockStore> shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws Exception {
    try (TextOutput text = new TextOutput(shell.out())) {
      text.text(new Version().getVersion()[0]).line();
    }
    return SionCommand.DONE;
  }
}
