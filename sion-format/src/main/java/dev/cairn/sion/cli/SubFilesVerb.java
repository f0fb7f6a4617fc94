package dev.cairn.sion.cli;

import picocli.CommandLine.Command;

/** {@code sion subfiles}: the verbs for sets of HDF5 sub-files. */
@Command(
    name = "subfiles",
    description = {
      "Reads and makes sets of HDF5 sub-files.",
      "Such a set is written by HDF5's sub-filing driver: a stub, a configuration and the "
          + "sub-files, to which the bytes of one HDF5 file are dealt. No HDF5 library is needed."
    },
    footer = {
      "",
      "Each verb has its own help: sion subfiles assemble --help",
      "",
      "Example: sion subfiles info x.h5.subfile_5230.config"
    })
final class SubFilesVerb extends VerbGroup {
  SubFilesVerb() {
    add("info", SubFilesInfoVerb::new);
    add("verify", SubFilesVerifyVerb::new);
    add("assemble", SubFilesAssembleVerb::new);
    add("stripe", SubFilesStripeVerb::new);
  }
}
