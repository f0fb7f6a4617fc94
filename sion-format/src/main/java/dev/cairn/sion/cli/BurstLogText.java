package dev.cairn.sion.cli;

import dev.cairn.command.TextOutput;
import dev.cairn.sion.pnetcdf.BurstLog;
import dev.cairn.sion.pnetcdf.BurstLogSet;
import dev.cairn.sion.pnetcdf.MetaHeader;
import dev.cairn.sion.pnetcdf.StagedPut;
import java.io.IOException;
import java.util.List;

/** What logs of PnetCDF hold, as text. */
final class BurstLogText {
  /** What no reader of such logs can know. */
  static final String UNKNOWN =
      "logs of PnetCDF do not say whether they were flushed when their file was closed, which puts"
          + " were cancelled, or whether bytes changed: they have no checksums.";

  private final TextOutput out;

  BurstLogText(TextOutput out) {
    this.out = out;
  }

  void print(BurstLogSet set) throws IOException {
    for (BurstLog log : set.logs()) {
      print(log);
    }
    out.lines("defect: ", set.losses());
    out.lines("defect: ", set.conflicts());
    out.lines("note: ", List.of(UNKNOWN));
  }

  private void print(BurstLog log) throws IOException {
    out.text(log.name().meta().toString()).text(": log of PnetCDF").line();
    if (log.header().isPresent()) {
      print(log.header().get());
    }
    if (log.sharerCount() > 1) {
      out.line("  processes that share its files: %d", log.sharerCount());
    }
    out.line("  puts: %d", log.putCount());
    out.line("  bytes of values: %d", log.dataSize());
    for (int number = 0; number < log.putCount(); number++) {
      print(number, log.put(number));
    }
    if (log.metaTail() > 0 || log.dataTail() > 0) {
      out.line(
          "  behind them, no data: %d bytes of entries, %d of values",
          log.metaTail(), log.dataTail());
    }
  }

  private void print(MetaHeader header) throws IOException {
    MetaHeader.Layout layout = header.layout();
    out.line("  layout: %s, of PnetCDF %s", layout, layout.releases());
    out.line("  byte order: %s", ByteOrderName.of(header.order()));
    out.line("  rank: %d of %d", header.rank(), header.rankCount());
    out.text("  target: ").text(header.target()).line();
    if (!header.processor().isEmpty()) {
      out.text("  host: ").text(header.processor()).line();
    }
    boolean isMisplaced = layout != MetaHeader.Layout.A;
    out.line("  max_ndims: %d (not used)", header.maxDimensions());
    out.line(
        "  num_entries: %d%s",
        header.entryCount(), isMisplaced ? " (PnetCDF stores the number in entry_begin)" : "");
    out.line(
        "  entry_begin: %d%s",
        header.entryBegin(),
        isMisplaced && header.entryBegin() != header.size()
            ? " (really the number of entries; they begin at " + header.size() + ")"
            : "");
  }

  private void print(int number, StagedPut put) throws IOException {
    out.line(
        "  put %d: %s of variable %d, %s, %s, bytes %d",
        number, put.boxes().kind().call(), put.variable(), put.type(), put.boxes(), put.dataSize());
  }
}
