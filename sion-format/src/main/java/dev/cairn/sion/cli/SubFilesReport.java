package dev.cairn.sion.cli;

import dev.cairn.sion.stripe.Extent;
import dev.cairn.sion.subfiles.SubFileConfig;
import dev.cairn.sion.subfiles.SubFileSet;
import java.io.IOException;
import java.util.List;

/**
 * What a set of sub-files consists of, as text or as one JSON object:
 *
 * <pre>
 * { config, stripeSize, aggregatorCount, hdf5File, subFileDirectory, size,
 *   subFiles: [ { number, path, expectedSize, size } ],
 *   holes: [ { offset, length } ],
 *   defects: [ sentence ], notes: [ sentence ] }
 * </pre>
 */
final class SubFilesReport {
  private final SubFileSet set;
  private final SubFileConfig config;
  private final TextOutput out;

  SubFilesReport(SubFileSet set, TextOutput out) {
    this.set = set;
    this.config = set.configuration();
    this.out = out;
  }

  void printText() throws IOException {
    out.line("HDF5 file: %d bytes", set.size());
    out.line("stripe size: %d bytes", config.stripeSize());
    out.line("sub-files: %d", config.subFileCount());
    out.line("concentrators: %d", config.aggregatorCount());
    out.line("stub when written: %s", config.hdf5File());
    out.line("directory when written: %s", config.subFileDirectory());
    for (SubFileSet.SubFile subFile : set.subFiles()) {
      out.line("sub-file %d: %s: %s", subFile.number() + 1, subFile.path(), sizes(subFile));
    }
    for (String defect : set.defects()) {
      out.text("defect: ").text(defect).line();
    }
    for (String note : set.notes()) {
      out.text("note: ").text(note).line();
    }
  }

  private static String sizes(SubFileSet.SubFile subFile) {
    String expected = subFile.expectedSize() + " bytes";
    if (subFile.isWhole()) {
      return expected;
    }
    return subFile.size().isPresent()
        ? subFile.size().getAsLong() + " bytes instead of " + expected
        : "missing, should have " + expected;
  }

  void printJson(String name) throws IOException {
    JsonWriter json = new JsonWriter(out);
    json.beginObject();
    json.name("config").value(name);
    json.name("stripeSize").value(config.stripeSize());
    json.name("aggregatorCount").value(config.aggregatorCount());
    json.name("hdf5File").value(config.hdf5File());
    json.name("subFileDirectory").value(config.subFileDirectory());
    json.name("size").value(set.size());
    json.name("subFiles").beginArray();
    for (SubFileSet.SubFile subFile : set.subFiles()) {
      json.line();
      printJson(json, subFile);
    }
    json.endArray().name("holes").beginArray();
    for (Extent hole : set.holes()) {
      json.line().beginObject();
      json.name("offset").value(hole.offset()).name("length").value(hole.length()).endObject();
    }
    json.endArray();
    printJson(json, "defects", set.defects());
    printJson(json, "notes", set.notes());
    json.endObject();
    out.line();
  }

  private static void printJson(JsonWriter json, SubFileSet.SubFile subFile) {
    json.beginObject();
    json.name("number").value(subFile.number());
    json.name("path").value(subFile.path().toString());
    json.name("expectedSize").value(subFile.expectedSize());
    if (subFile.size().isPresent()) {
      json.name("size").value(subFile.size().getAsLong());
    }
    json.endObject();
  }

  private static void printJson(JsonWriter json, String name, List<String> sentences)
      throws IOException {
    json.name(name).beginArray();
    for (String sentence : sentences) {
      json.line().value(sentence);
    }
    json.endArray();
  }
}
