package dev.cairn.sion.cli;

import picocli.CommandLine.Command;

/** {@code sion log}: the verbs for logs of writes that have not reached their place. */
@Command(
    name = "log",
    description = {
      "Reads, replays and deletes logs of writes that have not reached their place.",
      "PnetCDF's burst-buffer driver leaves such logs when a program is stopped before it flushes,"
          + " and PnetCDF itself cannot read them. Programs that write NetCDF files with Cairn keep"
          + " in logs of Cairn's own format what is not in the file yet; what is left of them is"
          + " not needed for a restart."
    },
    footer = {
      "",
      "Each verb has its own help: sion log replay --help",
      "",
      "Example: sion log inspect /local/bb"
    })
final class LogVerb extends VerbGroup {
  LogVerb() {
    add("inspect", LogInspectVerb::new);
    add("verify", LogVerifyVerb::new);
    add("replay", LogReplayVerb::new);
    add("extract", LogExtractVerb::new);
    add("export", LogExportVerb::new);
    add("discard", LogDiscardVerb::new);
  }
}
