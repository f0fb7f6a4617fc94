package dev.cairn.sion.salvage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What was found of one physical file of a broken multifile.
 *
 * @param fileNumber its number in the set
 * @param path where it lies, or should lie
 * @param condition how it is
 * @param trouble the strict reader's exception; empty if the file is closed
 */
public record SalvagedFile(
    int fileNumber, Path path, Condition condition, Optional<IOException> trouble) {

  /** How a physical file is. */
  public enum Condition {
    /** It is whole, and the lengths of its tasks are known. */
    CLOSED,
    /** META1 is good but leads to no good META2. Lengths are derived from the bytes. */
    UNCLOSED,
    /** It is missing, unreadable, or not of this multifile. */
    LOST
  }
}
