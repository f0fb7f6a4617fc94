package dev.cairn.sion.cli;

import dev.cairn.command.Progress;
import dev.cairn.command.Refusal;
import dev.cairn.sion.file.NewFiles;
import dev.cairn.sion.pnetcdf.BurstLogSet;
import dev.cairn.sion.pnetcdf.BurstReplay;
import dev.cairn.sion.pnetcdf.VariableOverlay;
import dev.cairn.sion.store.BlockFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sion log extract}: the cells of one variable, as logs of PnetCDF hold them. */
@Command(
    name = "extract",
    description = {
      "Writes the values that logs of PnetCDF hold for one variable, without the NetCDF file.",
      "OUT gets the smallest box of cells that has all of them, in row-major order, with the type"
          + " and byte order that they have in the logs. They are printed, and so are the start and"
          + " the count of the box in each dimension."
    },
    footer = {
      "",
      "Cells to which nothing was put are zeros. Nothing is overwritten. OUT appears when all of it"
          + " is written and on disk; until then, its name ends in .part.",
      "",
      "Example: sion log extract --variable 3 -o v.bin /local/bb"
    })
final class LogExtractVerb extends BurstLogVerb {
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

  @Override
  int use(BurstLogSet set) throws IOException {
    VariableOverlay overlay = VariableOverlay.of(set, variable);
    try (Progress progress = new Progress(shell(), "extract " + out, overlay.putBytes())) {
      write(overlay, progress);
    }
    print(
        "%s: variable %d, %s, byte order %s, start %s count %s, cells %d of %d",
        out,
        variable,
        overlay.type(),
        ByteOrderName.of(overlay.order()),
        Arrays.toString(overlay.start()),
        Arrays.toString(overlay.count()),
        overlay.coveredCells(),
        overlay.cellCount());
    return SionCommand.DONE;
  }

  private void write(VariableOverlay overlay, Progress progress) throws IOException {
    Path path = Path.of(out);
    if (store().exists(path)) {
      throw new Refusal(
          out + ": it exists and is not overwritten: delete it, or choose another name.");
    }
    Interruption.during(shell(), out, () -> write(overlay, path, progress));
  }

  private void write(VariableOverlay overlay, Path path, Progress progress) throws IOException {
    try (NewFiles files = new NewFiles(store())) {
      try (BlockFile file = files.create(path)) {
        file.resize(overlay.size());
        overlay.writeTo(file, order, progress::advance);
        file.force();
      }
      files.reveal(path);
      files.forceDirectory(path.getParent() == null ? Path.of("") : path.getParent());
      files.keep();
    }
  }
}
