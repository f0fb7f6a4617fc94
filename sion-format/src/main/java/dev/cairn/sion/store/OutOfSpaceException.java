package dev.cairn.sion.store;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * The file system has no room for what was to be written. Files that were forced before are
 * untouched.
 */
public final class OutOfSpaceException extends IOException {
  private static final long UNKNOWN = -1;

  private final Path path;
  private final long wantedBytes;
  private final long freeBytes;

  /** The failure of a write; {@code freeBytes} is -1 if the file system's free space is unknown. */
  public OutOfSpaceException(Path path, long wantedBytes, long freeBytes) {
    this(path, wanted(wantedBytes) + ". " + free(freeBytes), wantedBytes, freeBytes);
  }

  private OutOfSpaceException(Path path, String lack, long wantedBytes, long freeBytes) {
    super(
        String.format(
            "%s: no space is left for %s. Free some space there, or write elsewhere.", path, lack));
    this.path = path;
    this.wantedBytes = wantedBytes;
    this.freeBytes = freeBytes;
  }

  /**
   * Tells a full disk from other failures of a write. The JDK passes the system's words on, but not
   * its error number; they may be in the user's language, so a lack of bytes counts as well.
   *
   * @param freeBytes as in {@link #freeBytes}
   */
  static boolean explains(IOException failure, long wantedBytes, long freeBytes) {
    String words = String.valueOf(failure.getMessage());
    return words.contains("No space left")
        || words.contains("quota exceeded")
        || (freeBytes != UNKNOWN && freeBytes < wantedBytes);
  }

  /**
   * The reason why {@code path} could not be created: lack of space, or else {@code failure}
   * itself.
   */
  static IOException explained(Path path, FileSystemException failure) {
    if (!explains(failure, 0, UNKNOWN)) {
      return failure;
    }
    IOException outOfSpace = new OutOfSpaceException(path, "a new name", 0, UNKNOWN);
    outOfSpace.initCause(failure);
    return outOfSpace;
  }

  /** The file that was to be written. */
  public Path path() {
    return path;
  }

  /**
   * How many bytes were still to be written; 0 when the file system noticed only at {@link
   * BlockFile#force} that it cannot keep what it had accepted, or could not make the file at all.
   */
  public long wantedBytes() {
    return wantedBytes;
  }

  /** The free bytes that the file system reported at that time, or -1 if the query failed. */
  public long freeBytes() {
    return freeBytes;
  }

  private static String wanted(long bytes) {
    return bytes == 0 ? "the bytes written before" : bytes + " more bytes";
  }

  private static String free(long bytes) {
    return bytes == UNKNOWN
        ? "The file system does not tell how much is free"
        : "The file system reports " + bytes + " bytes free; a quota may allow less";
  }
}
