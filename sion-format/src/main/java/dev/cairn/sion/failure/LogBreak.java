package dev.cairn.sion.failure;

import java.nio.file.Path;

/**
 * The first place of a log that does not fit. Everything before it can be used.
 *
 * @param file the segment, which may be missing
 * @param offset the byte at which something else should begin
 * @param reason what was expected there, and what was found
 */
public record LogBreak(Path file, long offset, String reason) {
  @Override
  public String toString() {
    return String.format("%s: at byte %d %s", file, offset, reason);
  }
}
