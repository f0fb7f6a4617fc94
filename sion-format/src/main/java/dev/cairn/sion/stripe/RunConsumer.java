package dev.cairn.sion.stripe;

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
