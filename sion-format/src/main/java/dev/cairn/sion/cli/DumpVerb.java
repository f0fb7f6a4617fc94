package dev.cairn.sion.cli;

import dev.cairn.command.TextOutput;
import dev.cairn.sion.GlobalView;
import dev.cairn.sion.Multifile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion dump}: what the meta data of a multifile say, as siondump prints it or as JSON. */
@Command(
    name = "dump",
    description = "Prints the meta data of a multifile, character for character as siondump.",
    footer = {
      "",
      "With --json it prints one object, whose keys are the fields of docs/reference/multifile.md"
          + " in camel case. 'tasks' has an object per task, with its place and the bytes in each"
          + " of its blocks, so -a, -l, -m and -M add nothing; -k adds its 'keys' and -K its"
          + " 'records'. Keys and flags, which need all 64 bits, are strings of unsigned numbers.",
      "",
      "siondump's -v adds nothing, neither there nor here. Its -S, the memory of the C "
          + "library's own structures, has no meaning here.",
      "",
      "Example: sion dump -a -l x.sion"
    })
final class DumpVerb extends Verb {
  @Option(names = "-a", description = "Also the bytes in each block of each task.")
  private boolean blocks;

  @Option(names = "-l", description = "With -a: in bytes, not in MB.")
  private boolean inBytes;

  @Option(names = "-m", description = "Also the mapping, by task (several files only).")
  private boolean mapping;

  @Option(names = "-M", description = "Also the mapping, by file (several files only).")
  private boolean mappingByFile;

  @Option(names = "-k", description = "Also each task's keys, with their records and bytes.")
  private boolean keys;

  @Option(names = "-K", description = "Also each task's records, in order.")
  private boolean records;

  /** For scripts that call siondump. */
  @SuppressWarnings("UnusedVariable")
  @Option(names = "-v", description = "Accepted, as by siondump, and without effect.")
  private boolean verbose;

  @Option(names = "--json", description = "Prints JSON instead.")
  private boolean json;

  @Parameters(paramLabel = "FILE", description = "File 0 of a multifile, or another one alone.")
  private String file = "";

  @Override
  public Integer call() throws IOException {
    try (GlobalView view = open();
        TextOutput out = new TextOutput(shell().out())) {
      if (json) {
        new JsonDump(out, view, details()).print(file);
      } else {
        print(out, view);
      }
    }
    return SionCommand.DONE;
  }

  /** A broken multifile is not dumped; the failure names the tasks that are left. */
  private GlobalView open() throws IOException {
    try {
      return Multifile.open(store(), Path.of(file));
    } catch (IOException broken) {
      SalvageReport.say(shell(), Path.of(file), broken);
      throw broken;
    }
  }

  private Set<JsonDump.Detail> details() {
    Set<JsonDump.Detail> details = EnumSet.noneOf(JsonDump.Detail.class);
    if (keys) {
      details.add(JsonDump.Detail.KEYS);
    }
    if (records) {
      details.add(JsonDump.Detail.RECORDS);
    }
    return details;
  }

  private void print(TextOutput out, GlobalView view) throws IOException {
    new SummaryText(out, view).print(file);
    if (blocks) {
      new BlockText(out, view, inBytes ? SizeUnit.BYTES : SizeUnit.MEGABYTES).print();
    }
    printContent(new KeyText(out, view));
    if (view.info().fileCount() > 1) {
      printFiles(new FileText(out, view));
    }
  }

  private void printContent(KeyText text) throws IOException {
    if (keys) {
      text.printKeys();
    }
    if (records) {
      text.printRecords();
    }
    if ((keys || records) && !text.hasRecords()) {
      complain(file + " holds plain bytes, so there are no keys to print.");
    }
  }

  private void printFiles(FileText text) throws IOException {
    text.printFiles();
    if (mapping) {
      text.printMapping();
    }
    if (mappingByFile) {
      text.printMappingByFile();
    }
  }
}
