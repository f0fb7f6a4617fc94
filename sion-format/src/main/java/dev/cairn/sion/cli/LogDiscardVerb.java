package dev.cairn.sion.cli;

import dev.cairn.sion.pnetcdf.BurstLogName;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion log discard}: deletes logs of PnetCDF. */
@Command(
    name = "discard",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Deletes the logs that a program left for one NetCDF file.",
      "Without --delete it prints the names of the files, and deletes nothing. Nothing in a log "
          + "says whether it was replayed: 'sion log replay' before does no harm, however often."
    },
    footer = {
      "",
      "Logs of PnetCDF have to be out of the way before a program can write others of the same "
          + "names.",
      "",
      "Example: sion log discard --delete /local/bb"
    })
final class LogDiscardVerb implements Callable<Integer> {
  private final Shell shell;

  @Option(names = "--delete", description = "Deletes the files.")
  private boolean delete;

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description = "Files of logs, or directories of them.")
  private List<String> arguments = List.of();

  LogDiscardVerb(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException {
    List<BurstLogName> names = FoundLogs.of(shell.store(), arguments).ofOneProgram();
    try (TextOutput out = new TextOutput(shell.out())) {
      Set<Path> directories = new LinkedHashSet<>();
      for (BurstLogName name : names) {
        // Without its description no reader takes the values for a log.
        discard(name.meta(), out);
        discard(name.data(), out);
        directories.add(name.directory());
      }
      if (delete) {
        for (Path directory : directories) {
          shell.store().forceDirectory(directory);
        }
      }
    }
    if (!delete) {
      shell.say("sion: nothing was deleted. Give --delete to delete these files.");
    }
    return SionCommand.DONE;
  }

  private void discard(Path file, TextOutput out) throws IOException {
    BlockStore store = shell.store();
    if (store.exists(file)) {
      if (delete) {
        store.delete(file);
      }
      out.text(file.toString()).line();
    }
  }
}
