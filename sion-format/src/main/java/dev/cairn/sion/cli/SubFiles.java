package dev.cairn.sion.cli;

import dev.cairn.command.JsonWriter;
import dev.cairn.command.Progress;
import dev.cairn.command.Shell;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.stripe.Extent;
import dev.cairn.sion.subfiles.SubFileConfig;
import dev.cairn.sion.subfiles.SubFileSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

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
final class SubFiles implements Inspection {
  private static final int WINDOW_SIZE = 1 << 22;

  /** The name of its configuration, as the user gave it. */
  private final String name;

  private final SubFileSet set;

  SubFiles(BlockStore store, String name) throws IOException {
    this.name = name;
    this.set = SubFileSet.open(store, Path.of(name), SubFileSet.MissingBytes.ALLOW);
  }

  @Override
  public void printText(TextOutput out) throws IOException {
    SubFileConfig config = set.configuration();
    out.line("HDF5 file: %d bytes", set.size());
    out.line("stripe size: %d bytes", config.stripeSize());
    out.line("sub-files: %d", config.subFileCount());
    out.line("concentrators: %d", config.aggregatorCount());
    out.line("stub when written: %s", config.hdf5File());
    out.line("directory when written: %s", config.subFileDirectory());
    for (SubFileSet.SubFile subFile : set.subFiles()) {
      out.line("sub-file %d: %s: %s", subFile.number() + 1, subFile.path(), sizes(subFile));
    }
    out.lines("defect: ", set.defects());
    out.lines("note: ", set.notes());
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

  @Override
  public void printJson(JsonWriter json) throws IOException {
    SubFileConfig config = set.configuration();
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
    json.sentences("defects", set.defects()).sentences("notes", set.notes());
    json.endObject();
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

  @Override
  public boolean isWhole() {
    return set.defects().isEmpty();
  }

  @Override
  public Optional<String> verify(Shell<BlockStore> shell) throws IOException {
    set.defects().forEach(defect -> Failures.complain(shell, defect));
    if (!isWhole()) {
      return Optional.empty();
    }
    ByteBuffer window = ByteBuffer.allocate((int) Math.min(WINDOW_SIZE, set.size()));
    try (Progress progress = new Progress(shell, "verify " + set.path(), set.size())) {
      Windows.read(set.size(), window, progress, next -> set.readFully(next, window));
    }
    set.notes().forEach(note -> Failures.complain(shell, note));
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%s: good; sub-files %d, stripe size %d, bytes %d",
            name,
            set.subFiles().size(),
            set.striping().depth(),
            set.size()));
  }

  @Override
  public void close() throws IOException {
    set.close();
  }
}
