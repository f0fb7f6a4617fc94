package dev.cairn.sion.stripe;

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
