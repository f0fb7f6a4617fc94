package dev.cairn.grid;

import java.util.random.RandomGenerator;

/**
 * Random numbers that are a function of a seed, of whose they are, of the step and of how many were
 * drawn before: Philox4x32-10. Only the seed is state, so a number is the same on every rank, for
 * any number of ranks, and after any restart.
 *
 * <p>Numbers of different ids or steps are independent. Any thread may draw; only {@link #reseed}
 * must not happen at the same time.
 */
public final class RandomStreams {
  private static final long WORD_LIMIT = 1L << Integer.SIZE;
  private static final double DOUBLE_UNIT = 0x1p-53;
  private static final int UNUSED_BITS = Long.SIZE - 53;

  private long seed;

  public RandomStreams(long seed) {
    this.seed = seed;
  }

  public long seed() {
    return seed;
  }

  /** Changes the seed, as a restart does to that of the checkpoint. */
  public void reseed(long seed) {
    this.seed = seed;
  }

  /**
   * 64 random bits.
   *
   * @param id whose they are: of a particle, of a cell; any number
   * @param step when; below 2<sup>32</sup>
   * @param draw how many were drawn before for this id and step; below 2<sup>33</sup>
   */
  public long bits(long id, long step, long draw) {
    requireBelow("step", step, WORD_LIMIT);
    requireBelow("draw", draw, 2 * WORD_LIMIT);
    return Philox.half((int) (draw & 1), id, (step << Integer.SIZE) | (draw >>> 1), seed);
  }

  /** A number from 0 until 1, any multiple of 2<sup>-53</sup> with the same probability. */
  public double uniform(long id, long step, long draw) {
    return (bits(id, step, draw) >>> UNUSED_BITS) * DOUBLE_UNIT;
  }

  /**
   * A number of the normal distribution with mean 0 and standard deviation 1, made of the draws
   * {@code 2 * draw} and {@code 2 * draw + 1} by the formula of Box and Muller.
   */
  public double normal(long id, long step, long draw) {
    double radius = Math.sqrt(-2 * StrictMath.log(1 - uniform(id, step, 2 * draw)));
    return radius * StrictMath.cos(2 * Math.PI * uniform(id, step, 2 * draw + 1));
  }

  /**
   * A generator of the numbers of one {@code id}, one after another, for code that takes a {@link
   * RandomGenerator}; they are others than those of {@link #bits}. A program that declares it as a
   * {@code generator} saves how far it has come. One thread may use it.
   */
  public RandomGenerator generator(long id) {
    return new StreamGenerator(seed, id);
  }

  private static void requireBelow(String name, long value, long limit) {
    if (value < 0 || value >= limit) {
      throw new IllegalArgumentException(
          String.format("a %s is from 0 to %d, not %d.", name, limit - 1, value));
    }
  }
}
