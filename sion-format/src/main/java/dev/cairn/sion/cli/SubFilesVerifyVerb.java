package dev.cairn.sion.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sion subfiles verify}: checks sets of HDF5 sub-files as far as HDF5 allows. */
@Command(
    name = "verify",
    description = {
      "Checks that sets of sub-files are complete and can be read.",
      "It compares the configuration, the stub and the superblock, compares the length of each "
          + "sub-file with the one that follows from the length of the HDF5 file, and reads every "
          + "byte. There are no checksums: a changed byte of data is not noticed."
    },
    footer = {
      "",
      "A line on standard output for each good set, sentences on standard error for each "
          + "other, and for what is unusual about a good one: HDF5 cannot open a copied set, for "
          + "instance, but its bytes are good.",
      "",
      "Example: sion subfiles verify x.h5.subfile_5230.config"
    })
final class SubFilesVerifyVerb extends CheckingVerb<String> {
  @Parameters(
      paramLabel = "CONFIG",
      arity = "1..*",
      description = "The configuration of a set; its name ends in .config.")
  private List<String> configs = List.of();

  @Override
  public Integer call() throws IOException {
    return checkAll(configs);
  }

  @Override
  Optional<String> check(String config) throws IOException {
    try (SubFiles set = new SubFiles(store(), config)) {
      return set.verify(shell());
    }
  }
}
