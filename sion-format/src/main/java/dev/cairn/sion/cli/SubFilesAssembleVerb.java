package dev.cairn.sion.cli;

import dev.cairn.command.Progress;
import dev.cairn.sion.stripe.Extent;
import dev.cairn.sion.subfiles.SubFileAssembly;
import dev.cairn.sion.subfiles.SubFileSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.StringJoiner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion subfiles assemble}: one ordinary HDF5 file of a set of sub-files. */
@Command(
    name = "assemble",
    description = {
      "Makes one HDF5 file of a set of sub-files, byte for byte as h5fuse does.",
      "A set that is not complete is refused. The set itself stays as it is."
    },
    footer = {
      "",
      "With --allow-missing the bytes that are not there are zeros in OUT, and sentences on "
          + "standard error say which ones.",
      "",
      "Nothing is overwritten. OUT appears when all of it is written and on disk; until "
          + "then, its name ends in .part.",
      "",
      "Example: sion subfiles assemble x.h5.subfile_5230.config one.h5"
    })
final class SubFilesAssembleVerb extends Verb {
  private static final int MOST_HOLES = 12;

  @Option(
      names = "--allow-missing",
      description = "Of an incomplete set, takes the bytes that are there.")
  private boolean allowMissing;

  @Parameters(
      index = "0",
      paramLabel = "CONFIG",
      description = "The configuration of the set; its name ends in .config.")
  private String config = "";

  @Parameters(index = "1", paramLabel = "OUT", description = "The new HDF5 file.")
  private String out = "";

  @Override
  public Integer call() throws IOException {
    SubFileSet.MissingBytes missing =
        allowMissing ? SubFileSet.MissingBytes.ALLOW : SubFileSet.MissingBytes.REFUSE;
    try (SubFileSet set = SubFileSet.open(store(), Path.of(config), missing);
        Progress progress = new Progress(shell(), "assemble " + out, set.size())) {
      Interruption.during(
          shell(), out, () -> SubFileAssembly.run(set, store(), Path.of(out), progress::advance));
      complain(set.notes());
      complain(set.defects());
      sayHoles(set);
    }
    return SionCommand.DONE;
  }

  /** Names the holes, or the first of many. */
  private void sayHoles(SubFileSet set) {
    Iterator<Extent> holes = set.holes().iterator();
    StringJoiner names = new StringJoiner(", ");
    for (int count = 0; count < MOST_HOLES && holes.hasNext(); count++) {
      Extent hole = holes.next();
      names.add(hole.offset() + " to " + (hole.end() - 1));
    }
    if (names.length() > 0) {
      String rest =
          holes.hasNext()
              ? ", and more, which 'sion subfiles info --json --allow-missing " + config + "' lists"
              : "";
      complain(out + ": bytes that are missing were filled with zeros: " + names + rest + ".");
    }
  }
}
