package dev.cairn.sion.layout;

import java.util.Arrays;

/**
 * Finds where a 64-bit value stands in a list, without boxing: all positions of a value, in order.
 * Values are added once, by one thread; afterwards any number of threads may look up.
 */
public final class LongIndex {
  private static final int NONE = -1;

  private long[] values;

  /** The next position of the same value; behind its last one, its first again. */
  private int[] next;

  /** The last position of the value that hashes here, by open addressing. */
  private int[] slots;

  private int count;

  /** An empty index with room for {@code expected} values; it grows by itself. */
  public LongIndex(int expected) {
    this.values = new long[expected];
    this.next = new int[expected];
    this.slots = emptySlots(expected);
  }

  /** At most two thirds of the slots are ever taken. */
  private static int[] emptySlots(int room) {
    int[] empty = new int[Integer.highestOneBit(Math.max(4, room + room / 2)) << 1];
    Arrays.fill(empty, NONE);
    return empty;
  }

  /** Appends a value, whose position is the number of values before it. */
  public void add(long value) {
    if (count == values.length) {
      grow();
    }
    values[count] = value;
    link(count++);
  }

  /** The first position of {@code value}, or -1. */
  public int first(long value) {
    int last = slots[slotOf(value)];
    return last == NONE ? NONE : next[last];
  }

  /** The next position of the value that stands at {@code position}, or -1. */
  public int next(int position) {
    return next[position] > position ? next[position] : NONE;
  }

  public int count() {
    return count;
  }

  public long value(int position) {
    return values[position];
  }

  private void link(int position) {
    int slot = slotOf(values[position]);
    int last = slots[slot];
    if (last == NONE) {
      next[position] = position;
    } else {
      next[position] = next[last];
      next[last] = position;
    }
    slots[slot] = position;
  }

  private int slotOf(long value) {
    int mask = slots.length - 1;
    int slot = (int) (mix(value) & mask);
    while (slots[slot] != NONE && values[slots[slot]] != value) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Spreads values that differ only in their upper bits, by the finalizer of MurmurHash3. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }

  private void grow() {
    int room = Math.max(8, 2 * values.length);
    values = Arrays.copyOf(values, room);
    next = Arrays.copyOf(next, room);
    slots = emptySlots(room);
    for (int position = 0; position < count; position++) {
      link(position);
    }
  }
}
