package dev.cairn.sion.cli;

import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code sion version}: which version this is, in one line. */
@Command(
    name = "version",
    description = "Prints the version of this command and of the format.",
    footer = {"", "Example: sion version"})
final class VersionVerb extends Verb {
  @Override
  public Integer call() throws IOException {
    print("%s", new Version().getVersion()[0]);
    return SionCommand.DONE;
  }
}
