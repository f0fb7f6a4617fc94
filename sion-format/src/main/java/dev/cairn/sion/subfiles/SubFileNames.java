package dev.cairn.sion.subfiles;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of the files of a set, all of which begin with the name of the stub.
 *
 * @param stub the last name of the stub
 * @param inode the inode that the stub had when the set was made, in decimal digits
 */
record SubFileNames(String stub, String inode) {
  private static final Pattern CONFIGURATION =
      Pattern.compile("(?<stub>[^/]+)\\.subfile_(?<inode>[0-9]{1,20})\\.config");
  private static final Pattern SUB_FILE =
      Pattern.compile("(?<stub>[^/]+)\\.subfile_(?<inode>[0-9]{1,20})_[0-9]+_of_[0-9]+");

  static SubFileNames of(String stub, long inode) {
    return new SubFileNames(stub, Long.toUnsignedString(inode));
  }

  /** The names that belong to a configuration of this name; empty if it has been renamed. */
  static Optional<SubFileNames> ofConfiguration(String name) {
    return match(CONFIGURATION.matcher(name));
  }

  /** The names that belong to a sub-file of this name; empty if no sub-file is named so. */
  static Optional<SubFileNames> ofSubFile(String name) {
    return match(SUB_FILE.matcher(name));
  }

  private static Optional<SubFileNames> match(Matcher matcher) {
    return matcher.matches()
        ? Optional.of(new SubFileNames(matcher.group("stub"), matcher.group("inode")))
        : Optional.empty();
  }

  String configuration() {
    return stub + ".subfile_" + inode + ".config";
  }

  /** The sub-files in the order of their stripes; all numbers have the digits of the last one. */
  List<String> subFiles(int count) {
    List<String> names = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      names.add(stub + ".subfile_" + inode + ending(number, count));
    }
    return List.copyOf(names);
  }

  /** How the name of sub-file {@code number}, counted from 1, ends. */
  static String ending(int number, int count) {
    int digits = Integer.toString(count).length();
    return String.format(Locale.ROOT, "_%0" + digits + "d_of_%d", number, count);
  }
}
