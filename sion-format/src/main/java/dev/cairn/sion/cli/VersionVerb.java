package dev.cairn.sion.cli;

import dev.cairn.command.Shell;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code sion version}: which version this is, in one line. */
@Command(
    name = "version",
    description = "Prints the version of this command and of the format.",
    footer = {"", "Example: sion version"})
final class VersionVerb extends Verb {
  VersionVerb(Shell<BlockStore> shell) {
    super(shell);
  }

  @Override
  public Integer call() throws IOException {
    print("%s", new Version().getVersion()[0]);
    return SionCommand.DONE;
  }
}
