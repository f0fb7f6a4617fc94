package dev.cairn.command;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Lists of numbers as text: neighbours as ranges, and only the first ones of many. */
public final class NumberList {
  private static final int MOST_RUNS = 10;
  private static final int MOST_NUMBERS = 1000;

  private NumberList() {}

  /** Ascending numbers, such as "0 to 3, 5"; "none" if there are none. */
  public static String of(int... numbers) {
    return numbers.length == 0 ? "none" : first(IntStream.of(numbers), numbers.length);
  }

  /** The first of {@code count} ascending numbers, not all of which are asked for. */
  public static String first(IntStream numbers, int count) {
    int[] shown = numbers.limit(Math.min(count, MOST_NUMBERS)).toArray();
    List<String> runs = new ArrayList<>();
    int next = 0;
    while (next < shown.length && runs.size() < MOST_RUNS) {
      int end = endOfRun(shown, next);
      runs.add(run(shown[next], shown[end - 1]));
      next = end;
    }
    String list = String.join(", ", runs);
    return next == count ? list : String.format("%s and %d more", list, count - next);
  }

  private static int endOfRun(int[] numbers, int start) {
    int end = start + 1;
    while (end < numbers.length && numbers[end] == numbers[end - 1] + 1) {
      end++;
    }
    return end;
  }

  private static String run(int first, int last) {
    if (first == last) {
      return Integer.toString(first);
    }
    return first + (last == first + 1 ? ", " : " to ") + last;
  }
}
