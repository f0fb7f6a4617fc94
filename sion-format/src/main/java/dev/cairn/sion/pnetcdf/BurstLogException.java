package dev.cairn.sion.pnetcdf;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Logs that cannot be used as was asked. The message says which file, what was expected and found,
 * and what to do now. Failures of the store stay its {@link IOException}.
 */
public final class BurstLogException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Path file;

  BurstLogException(Path file, String sentence) {
    super(file + ": " + sentence);
    this.file = file;
  }

  /** The file or directory of which the message tells. */
  public Path file() {
    return file;
  }
}
