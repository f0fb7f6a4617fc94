package dev.cairn.sion.cli;

import dev.cairn.sion.pnetcdf.BurstLogSet;
import dev.cairn.sion.pnetcdf.BurstReplay;
import dev.cairn.sion.pnetcdf.VariableOverlay;
import dev.cairn.sion.store.BlockFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion log extract}: the cells of one variable, as logs of PnetCDF hold them. */
@Command(
    name = "extract",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Writes the values that logs of PnetCDF hold for one variable, without the NetCDF file.",
      "OUT gets the smallest box of cells that has all of them, in row-major order, with the type"
          + " and byte order that they have in the logs. They are printed, and so are the start and"
          + " the count of the box in each dimension."
    },
    footer = {
      "",
      "Cells to which nothing was put are zeros. Nothing is overwritten.",
      "",
      "Example: sion log extract --variable 3 -o v.bin /local/bb"
    })
final class LogExtractVerb implements Callable<Integer> {
  private final Shell shell;

  @Option(
      names = "--variable",
      required = true,
      paramLabel = "N",
      description = "The number of the variable in the NetCDF file, from 0.")
  private int variable;

  @Option(names = "-o", required = true, paramLabel = "OUT", description = "The new file.")
  private String out = "";

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description =
          "Which put counts where several overlap: last (the default; by rank, then by time),"
              + " first, or error (none: overlaps are refused).")
  private BurstReplay.OverlapOrder order = BurstReplay.OverlapOrder.LAST;

  @Option(
      names = "--available",
      description = "Takes the puts that are there if some logs are missing or damaged.")
  private boolean available;

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description = "Files of logs, or directories of them.")
  private List<String> arguments = List.of();

  LogExtractVerb(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException {
    FoundLogs found = FoundLogs.of(shell.store(), arguments);
    try (BurstLogSet set = BurstLogSet.open(shell.store(), found.ofPnetcdf())) {
      UsableLogs.require(shell, set, available);
      VariableOverlay overlay = VariableOverlay.of(set, variable);
      try (Progress progress = new Progress(shell, "extract " + out, overlay.putBytes())) {
        write(overlay, progress);
      }
      print(overlay);
    }
    return SionCommand.DONE;
  }

  private void write(VariableOverlay overlay, Progress progress) throws IOException {
    Path path = Path.of(out);
    if (shell.store().exists(path)) {
      throw new Refusal(
          out + ": it exists and is not overwritten: delete it, or choose another name.");
    }
    try (BlockFile file = shell.store().create(path)) {
      file.resize(overlay.size());
      overlay.writeTo(file, order, progress::advance);
    } catch (IOException failure) {
      deleteAfter(failure, path);
      throw failure;
    }
  }

  private void deleteAfter(IOException failure, Path path) {
    try {
      shell.store().delete(path);
    } catch (IOException second) {
      failure.addSuppressed(second);
    }
  }

  private void print(VariableOverlay overlay) throws IOException {
    try (TextOutput text = new TextOutput(shell.out())) {
      text.line(
          "%s: variable %d, %s, byte order %s, start %s count %s, cells %d of %d",
          out,
          variable,
          overlay.type(),
          BurstLogText.nameOf(overlay.order()),
          Arrays.toString(overlay.start()),
          Arrays.toString(overlay.count()),
          overlay.coveredCells(),
          overlay.cellCount());
    }
  }
}
