package dev.cairn.redistribution;

/** Maps 64 bits to 64 others, one to one, so that each bit depends on all of them. */
final class Mix {
  /** What lies between the numbers that are mixed for the first sum, and for the second. */
  static final long FIRST_STEP = 0x9e3779b97f4a7c15L;

  static final long SECOND_STEP = 0xd1b54a32d192ed03L;

  private Mix() {}

  /** The finalizer of SplitMix64. */
  static long first(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  /** The finalizer of MurmurHash3. */
  static long second(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
