package dev.cairn.grid;

/**
 * The function Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
 * 1, 2, 3" (2011): a bijection of 128 bits for each key of 64 bits, in ten rounds. Two words of 64
 * bits stand for the four of 32 in the paper, the lower-numbered one in the lower half.
 */
final class Philox {
  private static final long FIRST_FACTOR = 0xD2511F53L;
  private static final long SECOND_FACTOR = 0xCD9E8D57L;
  private static final int FIRST_KEY_STEP = 0x9E3779B9;
  private static final int SECOND_KEY_STEP = 0xBB67AE85;
  private static final int ROUNDS = 10;
  private static final long LOW_HALF = 0xFFFFFFFFL;

  private Philox() {}

  /** One half of the result: words 0 and 1 for {@code half} 0, and words 2 and 3 for 1. */
  static long half(int half, long low, long high, long key) {
    int firstKey = (int) key;
    int secondKey = (int) (key >>> Integer.SIZE);
    long lower = low;
    long upper = high;
    for (int round = 0; round < ROUNDS; round++) {
      long first = FIRST_FACTOR * (lower & LOW_HALF);
      long second = SECOND_FACTOR * (upper & LOW_HALF);
      long newLower = words((int) second, high(second) ^ high(lower) ^ firstKey);
      upper = words((int) first, high(first) ^ high(upper) ^ secondKey);
      lower = newLower;
      firstKey += FIRST_KEY_STEP;
      secondKey += SECOND_KEY_STEP;
    }
    return half == 0 ? lower : upper;
  }

  private static int high(long words) {
    return (int) (words >>> Integer.SIZE);
  }

  /** The words with the given values for the higher- and the lower-numbered one. */
  private static long words(int higher, int lower) {
    return ((long) higher << Integer.SIZE) | (lower & LOW_HALF);
  }
}
