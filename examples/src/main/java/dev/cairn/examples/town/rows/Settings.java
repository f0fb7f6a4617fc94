package dev.cairn.examples.town.rows;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The settings of a run. Rumours, births and departures are average numbers a day. */
final class Settings {
  private final Map<String, Integer> numbers = new TreeMap<>();
  Path out = Path.of(".");

  /** Reads words of the form {@code key=value}; refuses wrong ones; the last of a key counts. */
  Settings(String... words) {
    numbers.putAll(Map.of("seed", 1, "days", 20, "size", 50, "district", 10));
    numbers.putAll(Map.of("residents", 3_000, "shopkeepers", 60, "couriers", 30, "reporters", 12));
    numbers.putAll(Map.of("rumours", 3, "births", 5, "departures", 5));
    for (String word : words) {
      String[] parts = word.split("=", 2);
      check(parts.length == 2, "The word '%s' is not of the form key=value.", word);
      if (parts[0].equals("out")) {
        out = Path.of(parts[1]);
      } else {
        check(numbers.containsKey(parts[0]), "There is no setting called '%s'.", parts[0]);
        numbers.put(parts[0], parse(parts[0], parts[1]));
      }
    }
  }

  private static int parse(String key, String text) {
    int high = key.matches("size|rumours|births|departures") ? 1_000 : 100_000;
    int number = text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
    check(number >= 1 && number <= high, "'%s' must be a number from 1 to %d.", key, high);
    return number;
  }

  private static void check(boolean right, String sentence, Object... values) {
    if (!right) {
      throw new IllegalArgumentException(String.format(sentence, values));
    }
  }

  int number(String key) {
    return numbers.get(key);
  }

  int days() {
    return number("days");
  }
}
