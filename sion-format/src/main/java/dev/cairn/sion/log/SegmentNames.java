package dev.cairn.sion.log;

import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of segments: s000000.log, s000001.log and so on. */
final class SegmentNames {
  private static final Pattern NAME = Pattern.compile("s([0-9]{6,10})\\.log");

  private SegmentNames() {}

  static Path path(Path directory, int number) {
    return directory.resolve(String.format(Locale.ROOT, "s%06d.log", number));
  }

  /** The numbers of the segments in {@code directory}, ascending; other files are left out. */
  static List<Integer> numbersIn(BlockStore store, Path directory) throws IOException {
    return store.list(directory).stream()
        .map(SegmentNames::numberOf)
        .flatMapToInt(OptionalInt::stream)
        .sorted()
        .boxed()
        .toList();
  }

  private static OptionalInt numberOf(Path path) {
    Matcher matcher = NAME.matcher(String.valueOf(path.getFileName()));
    if (!matcher.matches()) {
      return OptionalInt.empty();
    }
    String digits = matcher.group(1);
    long number = Long.parseLong(digits);
    boolean isCanonical = digits.length() == 6 || digits.charAt(0) != '0';
    return isCanonical && number <= Integer.MAX_VALUE
        ? OptionalInt.of((int) number)
        : OptionalInt.empty();
  }
}
