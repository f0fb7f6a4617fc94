package dev.cairn.sion.stripe;

/**
 * Deals the bytes of a logical file to sub-files. Each byte has one place in one sub-file. Layouts
 * are immutable, so any thread may use them.
 *
 * <p>Every method throws {@link IllegalArgumentException} for a sub-file that does not exist, a
 * negative position or length, and an end behind 2^63 - 1.
 */
public interface SubFileLayout {

  /** How many sub-files there are, at least 1. */
  int subFileCount();

  /**
   * Hands over the runs that {@code length} bytes from {@code logicalOffset} on fall into.
   *
   * @throws IllegalArgumentException if {@code logicalOffset} or {@code length} is negative, or the
   *     end lies behind 2^63 - 1
   */
  void forEachRun(long logicalOffset, long length, RunConsumer consumer);

  /**
   * Hands over the parts of sub-files in which {@code length} bytes from {@code logicalOffset} on
   * lie. A striping has one for each sub-file that is touched, and computes them without visiting
   * the stripes.
   */
  void forEachLocal(long logicalOffset, long length, LocalConsumer consumer);

  /**
   * Hands over the runs of which {@code length} bytes at {@code local} of {@code subFile} consist,
   * in ascending order of their places in the sub-file. Bytes of the sub-file that belong to no
   * byte of the logical file are left out.
   */
  void forEachRunOf(int subFile, long local, long length, RunConsumer consumer);

  /**
   * The offset in the logical file of the byte at {@code local} in {@code subFile}.
   *
   * @throws ArithmeticException if it lies behind 2^63 - 1
   */
  long logicalOffsetOf(int subFile, long local);

  /** How many bytes {@code subFile} holds of a logical file of {@code logicalLength} bytes. */
  long lengthOf(int subFile, long logicalLength);

  /** Takes the parts of sub-files that a request touches. */
  @FunctionalInterface
  public interface LocalConsumer {
    /**
     * Takes bytes that lie one after another in a sub-file.
     *
     * @param subFile the sub-file, from 0
     * @param local where they begin in it
     * @param length how many they are, at least 1
     */
    void accept(int subFile, long local, long length);
  }

  /** Takes the runs of a request, in ascending order of their offsets in the logical file. */
  @FunctionalInterface
  public interface RunConsumer {
    /**
     * Takes one run of bytes that lie one after another in the logical file and in a sub-file.
     *
     * @param subFile the sub-file, from 0
     * @param local where the run begins in the sub-file
     * @param logicalOffset where it begins in the logical file
     * @param length its bytes, at least 1
     */
    void accept(int subFile, long local, long logicalOffset, long length);
  }
}
