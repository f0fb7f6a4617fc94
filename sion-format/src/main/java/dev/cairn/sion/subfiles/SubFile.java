package dev.cairn.sion.subfiles;

import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * A sub-file of a set.
 *
 * @param number its place among the sub-files, from 0
 * @param path where it lies, or should lie
 * @param expectedSize the bytes it should have
 * @param size the bytes it has; empty if it is missing
 */
public record SubFile(int number, Path path, long expectedSize, OptionalLong size) {

  /** How many of the expected bytes are there. */
  public long availableSize() {
    return Math.min(expectedSize, size.orElse(0));
  }

  /** Whether it has the bytes it should have, and no others. */
  public boolean isWhole() {
    return size.isPresent() && size.getAsLong() == expectedSize;
  }

  boolean isMissing() {
    return size.isEmpty();
  }
}
