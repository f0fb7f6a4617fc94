package dev.cairn.sion.netcdf;

import java.util.Comparator;
import java.util.List;

/** Whether variables of a file that exists have places of their own. */
final class Overlaps {
  private Overlaps() {}

  /**
   * Where the first record begins, or the last variable ends.
   *
   * @throws IllegalArgumentException if a byte would belong to two variables, to the header and a
   *     variable, or to two records
   */
  static long recordBegin(long headerSize, List<Header.Placed> variables) {
    long fixedEnd = line(false, "the header", headerSize, variables);
    long begin =
        variables.stream()
            .filter(each -> each.variable().isRecordVariable())
            .mapToLong(Header.Placed::begin)
            .min()
            .orElse(fixedEnd);
    long end = line(true, "what is before the records", fixedEnd, variables);
    long recordSize =
        NetcdfLayout.recordSize(variables.stream().map(Header.Placed::variable).toList());
    if (end - begin > recordSize) {
      throw new IllegalArgumentException(
          String.format(
              "the parts of a record should have %d bytes together, but lie at bytes %d to %d",
              recordSize, begin, end));
    }
    return begin;
  }

  /** Goes through them as they lie in the file, and returns where the last one ends. */
  private static long line(
      boolean isOfRecords, String first, long begin, List<Header.Placed> variables) {
    List<Header.Placed> ascending =
        variables.stream()
            .filter(each -> each.variable().isRecordVariable() == isOfRecords)
            .sorted(Comparator.comparingLong(Header.Placed::begin))
            .toList();
    String before = first;
    long end = begin;
    for (Header.Placed each : ascending) {
      if (each.begin() < end) {
        throw new IllegalArgumentException(
            String.format(
                "variable %s begins at byte %d, but %s ends at byte %d",
                each.variable().name(), each.begin(), before, end));
      }
      before = "variable " + each.variable().name();
      end = end(each);
    }
    return end;
  }

  private static long end(Header.Placed placed) {
    try {
      return Math.addExact(placed.begin(), placed.variable().byteCount());
    } catch (ArithmeticException overflow) {
      throw new IllegalArgumentException(
          String.format(
              "variable %s begins at byte %d, but has too many bytes to end below 2^63",
              placed.variable().name(), placed.begin()),
          overflow);
    }
  }
}
