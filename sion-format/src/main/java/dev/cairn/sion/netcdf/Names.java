package dev.cairn.sion.netcdf;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/** The rules of NetCDF for names. Files that exist are read with any name that is UTF-8. */
final class Names {
  private static final int MOST_BYTES = 256;

  private Names() {}

  /** Refuses a name that occurs twice. */
  static <T> void requireDistinct(String what, Collection<T> all, Function<T, String> name) {
    Set<String> seen = new HashSet<>();
    for (T each : all) {
      if (!seen.add(name.apply(each))) {
        throw new IllegalArgumentException(
            String.format("%s: the name %s occurs twice.", what, name.apply(each)));
      }
    }
  }

  /** Refuses a name that other programs would refuse or could not find again. */
  static void requireLegal(String what, String name) {
    int byteCount = name.getBytes(StandardCharsets.UTF_8).length;
    if (byteCount == 0 || byteCount > MOST_BYTES) {
      throw illegal(what, name, "has 1 to " + MOST_BYTES + " bytes in UTF-8, not " + byteCount);
    }
    if (!isFirst(name.charAt(0))) {
      throw illegal(what, name, "begins with a letter, a digit or an underscore");
    }
    if (name.chars().anyMatch(each -> each < ' ' || each == '/' || each == 0x7f)) {
      throw illegal(what, name, "has neither a slash nor a control character");
    }
    if (name.endsWith(" ")) {
      throw illegal(what, name, "does not end in a space");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw illegal(what, name, "has no unpaired surrogate");
    }
    if (!Normalizer.isNormalized(name, Normalizer.Form.NFC)) {
      throw illegal(what, name, "is in the normalization form NFC");
    }
  }

  private static boolean isFirst(char first) {
    return (first >= 'a' && first <= 'z')
        || (first >= 'A' && first <= 'Z')
        || (first >= '0' && first <= '9')
        || first == '_'
        || first > 0x7f;
  }

  private static IllegalArgumentException illegal(String what, String name, String rule) {
    return new IllegalArgumentException(
        String.format("the name of a %s %s: '%s' is not allowed.", what, rule, name));
  }
}
