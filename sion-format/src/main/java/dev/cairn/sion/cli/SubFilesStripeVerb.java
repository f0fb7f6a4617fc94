package dev.cairn.sion.cli;

import dev.cairn.command.Progress;
import dev.cairn.command.Refusal;
import dev.cairn.sion.stripe.Striping;
import dev.cairn.sion.subfiles.SubFileCreation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion subfiles stripe}: a set of sub-files of one HDF5 file. */
@Command(
    name = "stripe",
    description = {
      "Makes a set of sub-files, as HDF5's sub-filing driver does, of one HDF5 file.",
      "A file that HDF5 wrote through that driver says how many sub-files it had, and of "
          + "which depth; they are taken without options, and no others are accepted. HDF5 may "
          + "not open the set of any other file."
    },
    footer = {
      "",
      "Nothing is overwritten. The stub, which has FILE's last name, appears in DIR when the "
          + "set is written and on disk; until then, names end in .part. The configuration's name, "
          + "with the stub's inode in it, is printed.",
      "",
      "Example: sion subfiles stripe one.h5 set"
    })
final class SubFilesStripeVerb extends Verb {
  /** Each sub-file is open while the set is written. */
  private static final int MOST_SUB_FILES = 65_536;

  @Option(names = "--depth", paramLabel = "BYTES", description = "The bytes of a stripe.")
  private Optional<Long> depth = Optional.empty();

  @Option(names = "--subfiles", paramLabel = "N", description = "The number of sub-files.")
  private Optional<Integer> count = Optional.empty();

  @Parameters(index = "0", paramLabel = "FILE", description = "An HDF5 file.")
  private String file = "";

  @Parameters(index = "1", paramLabel = "DIR", description = "The directory of the set.")
  private String directory = "";

  @Override
  public Integer call() throws IOException {
    depth.ifPresent(bytes -> requireRange("--depth", bytes, Long.MAX_VALUE));
    count.ifPresent(number -> requireRange("--subfiles", number, MOST_SUB_FILES));
    SubFileCreation.Source source = SubFileCreation.Source.of(store(), Path.of(file));
    Striping striping = striping(source);
    String stub = Path.of(directory).resolve(source.path().getFileName()).toString();
    try (Progress progress = new Progress(shell(), "stripe " + file, source.size())) {
      Interruption.during(shell(), stub, () -> stripe(source, striping, progress));
    }
    return SionCommand.DONE;
  }

  private void stripe(SubFileCreation.Source source, Striping striping, Progress progress)
      throws IOException {
    Path config =
        SubFileCreation.run(store(), source, Path.of(directory), striping, progress::advance);
    print("%s", config);
  }

  private Striping striping(SubFileCreation.Source source) throws IOException {
    Optional<Striping> written = source.striping();
    Optional<Long> wantedDepth = depth.or(() -> written.map(Striping::depth));
    Optional<Integer> wantedCount = count.or(() -> written.map(Striping::subFileCount));
    if (wantedDepth.isEmpty() || wantedCount.isEmpty()) {
      throw new Refusal(
          file
              + ": HDF5 did not write it through its sub-filing driver: give --depth and"
              + " --subfiles.");
    }
    if (wantedCount.get() > MOST_SUB_FILES) {
      throw new Refusal(
          String.format(
              "%s: it was written for %d sub-files, but at most %d can be made.",
              file, wantedCount.get(), MOST_SUB_FILES));
    }
    try {
      return Striping.of(wantedDepth.get(), wantedCount.get());
    } catch (IllegalArgumentException tooLong) {
      throw new Refusal(tooLong.getMessage(), tooLong);
    }
  }
}
