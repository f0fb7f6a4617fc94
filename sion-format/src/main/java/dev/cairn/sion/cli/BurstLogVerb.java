package dev.cairn.sion.cli;

import dev.cairn.command.Refusal;
import dev.cairn.sion.pnetcdf.BurstLogSet;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A verb that uses the values in the logs of PnetCDF of one program. */
abstract class BurstLogVerb extends Verb {
  @Option(
      names = "--available",
      description = "Takes the puts that are there if some logs are missing or damaged.")
  private boolean available;

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description = "Files of logs, or directories of them.")
  private List<String> arguments = List.of();

  /** Uses logs that belong together; returns the exit code. */
  abstract int use(BurstLogSet set) throws IOException;

  @Override
  public Integer call() throws IOException {
    FoundLogs found = FoundLogs.of(store(), arguments);
    try (BurstLogSet set = BurstLogSet.open(store(), found.ofPnetcdf())) {
      requireUsable(set);
      return use(set);
    }
  }

  /**
   * Refuses logs that do not belong together; and those of which some are missing or damaged,
   * unless only the available ones are wanted. All reasons are said.
   */
  private void requireUsable(BurstLogSet set) throws Refusal {
    complain(set.conflicts());
    complain(set.losses());
    if (!set.conflicts().isEmpty()) {
      throw new Refusal(set.name() + ": the logs do not belong together, and nothing was done.");
    }
    if (!set.losses().isEmpty() && !available) {
      throw new Refusal(
          set.name()
              + ": the logs are not whole, and nothing was done. --available takes the rest.");
    }
  }
}
