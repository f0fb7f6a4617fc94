package dev.cairn.sion.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sion log verify}: checks logs as far as their format allows. */
@Command(
    name = "verify",
    description = {
      "Checks that logs are whole, as far as their format allows.",
      "Of PnetCDF's logs it checks that those of all processes are there and belong together,"
          + " compares each entry with the one before and with the values, and reads every byte."
          + " They have no checksums: a changed value is not noticed. Of logs of Cairn all"
          + " checksums are compared."
    },
    footer = {
      "",
      "A line on standard output for each good log, or for those of each program; sentences on "
          + "standard error for the others. A log of Cairn is good also if its writer was stopped.",
      "",
      "Example: sion log verify /local/bb"
    })
final class LogVerifyVerb extends CheckingVerb<Inspection.Opening> {
  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description = "Logs, or directories of them, as for 'sion log inspect'.")
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws IOException {
    return checkAll(FoundLogs.of(store(), arguments).all());
  }

  @Override
  Optional<String> check(Inspection.Opening logs) throws IOException {
    try (Inspection inspection = logs.open(store())) {
      return inspection.verify(shell());
    }
  }
}
