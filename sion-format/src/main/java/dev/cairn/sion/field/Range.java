package dev.cairn.sion.field;

/**
 * The values that a field may hold, both ends included. Checked before writing and after reading.
 *
 * @param least the smallest legal value
 * @param most the largest legal value
 */
public record Range(long least, long most) {
  public static final Range ANY = new Range(Long.MIN_VALUE, Long.MAX_VALUE);

  public static Range atLeast(long least) {
    return new Range(least, Long.MAX_VALUE);
  }

  public static Range exactly(long value) {
    return new Range(value, value);
  }

  public boolean holds(long value) {
    return least <= value && value <= most;
  }

  /** What a message says was expected. */
  public String expectation() {
    if (least == most) {
      return Long.toString(least);
    }
    return most == Long.MAX_VALUE ? "at least " + least : least + " to " + most;
  }
}
