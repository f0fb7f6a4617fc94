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
 * @param trouble what the strict reader says of it; nothing if it is closed
 */
public record SalvagedFile(
    int fileNumber, Path path, Condition condition, Optional<IOException> trouble) {

  /** How a physical file is. */
  public enum Condition {
    /** It is whole, and the lengths of its tasks are known. */
    CLOSED,
    /** Its META1 is good but leads to no good META2, so lengths are found out from the bytes. */
    UNCLOSED,
    /** It is missing, unreadable, or not of this multifile. */
    LOST
  }
}
