package dev.cairn.sion.subfiles;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A set of sub-files that cannot be read or made as it is. The message says which file, what was
 * expected and found, and what to do now.
 */
public final class SubFileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Path file;

  SubFileException(Path file, String sentence) {
    super(file + ": " + sentence);
    this.file = file;
  }

  /** The file that is damaged, missing or in the way. */
  public Path file() {
    return file;
  }
}
