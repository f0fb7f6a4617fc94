package dev.cairn.sion.layout;

import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of a multifile's physical files. */
public final class FileNames {
  private static final Pattern SUFFIX = Pattern.compile("(_BUDDY_[0-9]{2,})?(\\.[0-9]{6,})?");

  /** No number that the format can hold has more digits. */
  private static final Pattern NUMBER = Pattern.compile("\\.([0-9]{6,9})");

  private FileNames() {}

  /** File 0 has the name of the multifile, file k adds a dot and k in at least six digits. */
  public static Path physical(Path multifile, int fileNumber) {
    return fileNumber == 0
        ? multifile
        : multifile.resolveSibling(multifile.getFileName() + suffix(fileNumber));
  }

  /** The name of the copies of a level. */
  public static Path buddy(Path multifile, int level) {
    String suffix = String.format(Locale.ROOT, "_BUDDY_%02d", level);
    return multifile.resolveSibling(multifile.getFileName() + suffix);
  }

  /** Uses the root locale, since some locales have other digits. */
  private static String suffix(int fileNumber) {
    return String.format(Locale.ROOT, ".%06d", fileNumber);
  }

  /**
   * The number of the physical file {@code name} of a multifile; empty if the name belongs to no
   * physical file.
   */
  public static OptionalInt number(String multifile, String name) {
    if (name.equals(multifile)) {
      return OptionalInt.of(0);
    }
    Matcher suffix =
        NUMBER.matcher(name.startsWith(multifile) ? name.substring(multifile.length()) : "");
    if (!suffix.matches()) {
      return OptionalInt.empty();
    }
    int number = Integer.parseInt(suffix.group(1));
    return name.equals(multifile + suffix(number)) && number > 0
        ? OptionalInt.of(number)
        : OptionalInt.empty();
  }

  /**
   * Whether {@code name} can belong to some multifile called {@code multifile}, buddies included.
   */
  public static boolean isOfSet(String multifile, String name) {
    if (!name.startsWith(multifile)) {
      return false;
    }
    Matcher suffix = SUFFIX.matcher(name.substring(multifile.length()));
    return suffix.matches();
  }
}
