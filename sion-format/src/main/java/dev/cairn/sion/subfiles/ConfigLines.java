package dev.cairn.sion.subfiles;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the lines of a configuration, one after another. Used once. */
final class ConfigLines {
  static final String REMEDY =
      "it is damaged, or no configuration. Name the file that ends in .config, or use another copy"
          + " of it.";

  private final Path path;
  private final String text;
  private int position;
  private int lineNumber;

  ConfigLines(Path path, String text) {
    this.path = path;
    this.text = text;
  }

  SubFileConfig parse() throws SubFileException {
    long stripeSize = number("stripe_size");
    long aggregatorCount = number("aggregator_count");
    long subFileCount = number("subfile_count");
    String hdf5File = value("hdf5_file");
    String subFileDirectory = value("subfile_dir");
    List<String> names = names(subFileCount);
    if (stripeSize > Long.MAX_VALUE / names.size()) {
      throw refusal("a row of stripes of " + stripeSize + " bytes is longer than 2^63 - 1 bytes");
    }
    return new SubFileConfig(stripeSize, aggregatorCount, hdf5File, subFileDirectory, names);
  }

  /** All lines that are left; there must be as many as sub-files. */
  private List<String> names(long count) throws SubFileException {
    List<String> names = new ArrayList<>();
    while (position < text.length()) {
      names.add(line());
    }
    if (names.size() != count) {
      throw refusal(
          String.format("subfile_count is %d, but %d sub-files are listed", count, names.size()));
    }
    requireOneSet(names);
    return names;
  }

  /** Names must be those of one set in order, so none of them leads out of its directory. */
  private void requireOneSet(List<String> names) throws SubFileException {
    Optional<SubFileNames> set = SubFileNames.ofSubFile(names.get(0));
    if (set.isEmpty()) {
      throw refusal("'" + names.get(0) + "' is not the name of a sub-file");
    }
    List<String> expected = set.get().subFiles(names.size());
    for (int number = 0; number < names.size(); number++) {
      if (!names.get(number).equals(expected.get(number))) {
        throw refusal(
            String.format(
                "sub-file %d should be '%s', but '%s' is listed",
                number + 1, expected.get(number), names.get(number)));
      }
    }
  }

  private long number(String key) throws SubFileException {
    String digits = value(key);
    if (!digits.matches("[1-9][0-9]{0,17}")) {
      throw refusal(key + " should be a number above 0, but is '" + digits + "'");
    }
    return Long.parseLong(digits);
  }

  private String value(String key) throws SubFileException {
    String start = key + "=";
    String line = line();
    if (!line.startsWith(start)) {
      throw refusal(
          String.format("line %d should begin with %s, but is '%s'", lineNumber, start, line));
    }
    return line.substring(start.length());
  }

  /** A line that lacks its end has been cut. */
  private String line() throws SubFileException {
    lineNumber++;
    int end = text.indexOf('\n', position);
    if (end < 0) {
      throw refusal("it ends within line " + lineNumber);
    }
    String line = text.substring(position, end);
    position = end + 1;
    return line;
  }

  private SubFileException refusal(String flaw) {
    return new SubFileException(path, flaw + ": " + REMEDY);
  }
}
