package dev.cairn.sion.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bytes 4 to 7 of META1. They read the same in both byte orders: the outer bytes give the order of
 * the meta data, the inner ones the declared order of the user data, each 0 for little and 1 for
 * big.
 */
public final class EndiannessWord {
  private static final int OFFSET = 4;

  /** How many bytes of META1 {@link #metaOrder} looks at. */
  public static final int PEEK = 28;

  private static final int VERSION_OFFSET = 16;
  private static final int BLOCK_SIZE_OFFSET = 20;
  private static final int TASK_COUNT_OFFSET = 24;
  private static final int META_BITS = 0x01000001;
  private static final int USER_BITS = 0x00010100;

  private EndiannessWord() {}

  public static int of(ByteOrder metaOrder, ByteOrder userOrder) {
    return (isBig(metaOrder) ? META_BITS : 0) | (isBig(userOrder) ? USER_BITS : 0);
  }

  /** The user data's order in a word as it was read in {@code metaOrder}. */
  public static ByteOrder userOrder(int word, ByteOrder metaOrder) {
    int firstInnerByte = isBig(metaOrder) ? word >>> 16 : word >>> 8;
    return (firstInnerByte & 1) == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
  }

  /**
   * The byte order of the meta data that begin with {@code peek}. Where the outer bytes contradict
   * each other, the order in which the next fields are plausible is taken. If they are plausible in
   * neither order, or these are no meta data, the choice does not matter, since the field list
   * refuses both.
   */
  public static ByteOrder metaOrder(ByteBuffer peek) {
    boolean first = (peek.get(OFFSET) & 1) != 0;
    boolean last = (peek.get(OFFSET + 3) & 1) != 0;
    boolean big = first == last ? first : makesSense(peek.duplicate().order(ByteOrder.BIG_ENDIAN));
    return big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  private static boolean makesSense(ByteBuffer peek) {
    return FormatVersion.NUMBERS.holds(peek.getInt(VERSION_OFFSET))
        && peek.getInt(BLOCK_SIZE_OFFSET) >= 1
        && peek.getInt(TASK_COUNT_OFFSET) >= 1;
  }

  private static boolean isBig(ByteOrder order) {
    return order == ByteOrder.BIG_ENDIAN;
  }
}
