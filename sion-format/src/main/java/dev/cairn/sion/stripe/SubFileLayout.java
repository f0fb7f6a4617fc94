package dev.cairn.sion.stripe;

/**
 * Deals the bytes of a logical file to sub-files. Each byte has one place in one sub-file. Layouts
 * are immutable, so any thread may use them.
 */
public interface SubFileLayout {

  /** How many sub-files there are, at least 1. */
  int subFileCount();

  /**
   * Hands over the runs that {@code length} bytes from {@code offset} on fall into.
   *
   * @throws IllegalArgumentException if {@code offset} or {@code length} is negative, or the end
   *     lies behind 2^63 - 1
   */
  void forEachRun(long offset, long length, RunConsumer consumer);

  /** The offset in the logical file of the byte at {@code local} in {@code subFile}. */
  long offsetOf(int subFile, long local);

  /** How many bytes {@code subFile} holds of a logical file of {@code length} bytes. */
  long lengthOf(int subFile, long length);
}
