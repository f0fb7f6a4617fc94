package dev.cairn.sion.format;

/**
 * The upper half of flag1. Only {@link #NONE} and {@link #INLINE} have a meaning on disk; the C
 * library reserves the others and writes nothing with them.
 */
public enum KeyValueMode {
  NONE(50),
  INLINE(51),
  META(52),
  HASH(53),
  UNKNOWN(54);

  private final int number;

  KeyValueMode(int number) {
    this.number = number;
  }

  /** The mode in a flag; a value that no library has written counts as {@link #NONE}. */
  static KeyValueMode ofFlag(long flag1) {
    long number = flag1 >>> 32;
    for (KeyValueMode mode : values()) {
      if (mode.number == number) {
        return mode;
      }
    }
    return NONE;
  }

  public long flag1() {
    return (long) number << 32;
  }
}
