package dev.cairn.sion;

import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The open flags of the C library, as far as they describe a new file. The C library ignores
 * unknown flags and illegal values; here they are refused.
 */
final class OpenFlags {
  private static final Set<String> WRITING = Set.of("w", "wb", "bw");

  /**
   * Flags that choose between I/O methods. All produce the same bytes, and only one exists here.
   */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of("ansi", "posix", "sionfwd", "buffered", "compress");

  private final MultifileSpec spec;
  private final Map<String, Optional<String>> words = new HashMap<>();

  private OpenFlags(MultifileSpec spec) {
    this.spec = spec;
  }

  /** {@code spec}, changed as the words between the commas say. */
  static MultifileSpec apply(MultifileSpec spec, String flags) {
    OpenFlags parsed = new OpenFlags(spec);
    for (String flag : flags.split(",", -1)) {
      parsed.add(flag);
    }
    if (parsed.words.keySet().stream().noneMatch(WRITING::contains)) {
      throw parsed.refusal(quoted(flags) + " has none of w, wb and bw, so it creates nothing");
    }
    return parsed.changed();
  }

  private void add(String flag) {
    int equals = flag.indexOf('=');
    String word = equals < 0 ? flag : flag.substring(0, equals);
    Optional<String> value =
        equals < 0 ? Optional.empty() : Optional.of(flag.substring(equals + 1));
    if (words.putIfAbsent(word, value) != null) {
      throw refusal(quoted(word) + " is there twice: leave one out");
    }
  }

  private MultifileSpec changed() {
    MultifileSpec changed = spec;
    for (Map.Entry<String, Optional<String>> flag : words.entrySet()) {
      changed = changed(changed, flag.getKey(), flag.getValue());
    }
    return changed;
  }

  private MultifileSpec changed(MultifileSpec before, String word, Optional<String> value) {
    return switch (word) {
      case "keyval" -> before.withContent(content(value));
      case "endianness" -> before.withUserDataOrder(order(value));
      case "buddy" -> before.withBuddyLevels(value.isEmpty() ? 1 : number(word, value.get()));
      case "collective" -> {
        Grouping grouping = grouping(word, value);
        yield leavesGroupsToBuddies() ? before : before.withGrouping(grouping);
      }
      case "collsize" -> {
        requireCollective(word);
        yield before;
      }
      case "collectivemerge", "cmerge" -> {
        requireNoValue(word, value);
        requireCollective(word);
        yield before;
      }
      case "collmsa" ->
          throw refusal(
              "'collmsa' does not say how many tasks a group has: use FileMapping.collectorsFirst"
                  + " and Grouping.ofExactly");
      case "r", "rb", "br" ->
          throw refusal(quoted(word) + " opens for reading: use Multifile.open");
      default -> {
        requireKnown(word, value);
        yield before;
      }
    };
  }

  private Content content(Optional<String> value) {
    return switch (value.orElse("default")) {
      case "inline", "default" -> Content.RECORDS;
      case "none" -> Content.BYTES;
      default ->
          throw refusal("keyval is inline, default or none, not " + quoted(value.orElseThrow()));
    };
  }

  private ByteOrder order(Optional<String> value) {
    return switch (value.orElse("")) {
      case "big" -> ByteOrder.BIG_ENDIAN;
      case "little" -> ByteOrder.LITTLE_ENDIAN;
      default -> throw refusal("endianness is big or little, not " + quoted(value.orElse("")));
    };
  }

  private Grouping grouping(String word, Optional<String> value) {
    requireNoValue(word, value);
    Optional<String> collsize = words.getOrDefault("collsize", Optional.of("-1"));
    int size = number("collsize", collsize.orElse(""));
    if (size < -1) {
      throw refusal("collsize is a number of tasks, or -1 to leave it open, not " + size);
    }
    Grouping groups = size > 0 ? Grouping.ofAbout(size) : Grouping.few();
    boolean merged = words.containsKey("collectivemerge") || words.containsKey("cmerge");
    return merged ? groups.merged() : groups;
  }

  /** With buddies the tasks of a physical file are one group, which 'collective' alone allows. */
  private boolean leavesGroupsToBuddies() {
    return words.containsKey("buddy")
        && words.keySet().stream()
            .noneMatch(Set.of("collsize", "collectivemerge", "cmerge")::contains);
  }

  private int number(String word, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException noNumber) {
      throw refusal(word + " is a number, not " + quoted(value));
    }
  }

  private void requireCollective(String word) {
    if (!words.containsKey("collective")) {
      throw refusal(quoted(word) + " says something about 'collective', which is not there");
    }
  }

  private void requireNoValue(String word, Optional<String> value) {
    if (value.isPresent()) {
      throw refusal(quoted(word) + " has no value, but was given " + quoted(value.get()));
    }
  }

  private void requireKnown(String word, Optional<String> value) {
    if (!WRITING.contains(word) && !WITHOUT_EFFECT.contains(word)) {
      throw refusal(quoted(word) + " is no open flag of SIONlib, which are words without blanks");
    }
    requireNoValue(word, value);
  }

  private static String quoted(String text) {
    return "'" + text + "'";
  }

  private IllegalArgumentException refusal(String sentence) {
    return new IllegalArgumentException(spec.path() + ": " + sentence + ".");
  }
}
