package dev.cairn.sion.store;

import java.util.Arrays;
import java.util.Optional;

/**
 * A file name that the JVM could not decode. It decodes names in the character set of the locale,
 * and puts a replacement character in the place of bytes that are none, so the name is lost.
 */
public final class UndecodedName {
  private static final String REPLACEMENT = "\uFFFD";
  private static final String UTF_8 = "UTF-8";

  private UndecodedName() {}

  /** The first of a command's arguments that was not decoded. */
  public static Optional<String> firstOf(String... arguments) {
    return Arrays.stream(arguments).filter(argument -> argument.contains(REPLACEMENT)).findFirst();
  }

  /** What is wrong with a name, and which variable to set. */
  public static String sentence(String name) {
    String charset = System.getProperty("sun.jnu.encoding", UTF_8);
    return charset.equals(UTF_8)
        ? name
            + ": this name has bytes that are not UTF-8, the character set of the locale. Set"
            + " LC_ALL to a locale with the name's character set ('locale -a' lists them), or"
            + " rename the file."
        : name
            + ": this name has characters that are not in "
            + charset
            + ", the character set of the locale. Set LC_ALL=C.UTF-8, or another locale that has"
            + " them.";
  }
}
