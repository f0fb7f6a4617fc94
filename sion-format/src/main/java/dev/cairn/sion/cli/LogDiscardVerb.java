package dev.cairn.sion.cli;

import dev.cairn.command.TextOutput;
import dev.cairn.sion.log.LogReader;
import dev.cairn.sion.pnetcdf.BurstLogName;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion log discard}: deletes logs. */
@Command(
    name = "discard",
    description = {
      "Deletes the logs that a program left for one NetCDF file, and any logs of Cairn.",
      "Without --delete it prints the names of the files, and deletes nothing. Nothing in a log of "
          + "PnetCDF says whether it was replayed: 'sion log replay' before does no harm, however "
          + "often. Logs of Cairn are not needed when the program that wrote them has ended."
    },
    footer = {
      "",
      "Logs of PnetCDF have to be out of the way before a program can write others of the same "
          + "names. Logs of Cairn are deleted by the next run on the same hosts; this verb is for "
          + "those on other hosts. A program that still runs loses what waits in its logs.",
      "",
      "Example: sion log discard --delete /local/bb"
    })
final class LogDiscardVerb extends Verb {
  @Option(names = "--delete", description = "Deletes the files.")
  private boolean delete;

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description = "Files of logs, or directories of them.")
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws IOException {
    FoundLogs found = FoundLogs.of(store(), arguments);
    List<BurstLogName> names = found.ofOneProgram();
    try (TextOutput out = new TextOutput(shell().out())) {
      Set<Path> directories = new LinkedHashSet<>();
      for (BurstLogName name : names) {
        // Without its description no reader takes the values for a log.
        discard(name.meta(), out);
        discard(name.data(), out);
        directories.add(name.directory());
      }
      for (Path log : found.cairn()) {
        discardLog(log, out);
        directories.add(log.toAbsolutePath().getParent());
      }
      if (delete) {
        for (Path directory : directories) {
          store().forceDirectory(directory);
        }
      }
    }
    if (!delete) {
      complain("nothing was deleted. Give --delete to delete these files.");
    }
    return SionCommand.DONE;
  }

  /** The last segment goes first, so that what is left if it fails is a log. */
  private void discardLog(Path log, TextOutput out) throws IOException {
    List<Path> segments = new ArrayList<>(LogReader.segments(store(), log));
    Collections.reverse(segments);
    for (Path segment : segments) {
      discard(segment, out);
    }
    if (delete && store().list(log).isEmpty()) {
      store().delete(log);
    }
  }

  private void discard(Path file, TextOutput out) throws IOException {
    BlockStore store = store();
    if (store.exists(file)) {
      if (delete) {
        store.delete(file);
      }
      out.text(file.toString()).line();
    }
  }
}
