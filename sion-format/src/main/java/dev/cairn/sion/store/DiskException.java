package dev.cairn.sion.store;

import dev.cairn.sion.store.BlockStore.Operation.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/**
 * A disk, or its file system, refused or failed. What is wrong lies there, and not in the name, the
 * bytes or the program, so the same call may succeed later. Files that were forced before are
 * untouched.
 *
 * <p>A {@link BlockStore} alone makes it: no other code needs to know the words of an operating
 * system.
 */
public final class DiskException extends FileSystemException {
  /** What it takes until the call can succeed. */
  public enum Trouble {
    /** Free space: the file system is full, or a quota is used up. */
    NO_ROOM,
    /** A right: the permission is missing, or the file system is read-only. */
    DENIED,
    /** Time: something that is there, or may be there, cannot be read now. */
    UNREADABLE,
    /** What nobody can tell: a change failed. */
    OTHER
  }

  private static final long serialVersionUID = 1L;
  private static final long UNKNOWN = -1;

  private final Trouble trouble;

  /**
   * A failure that is known already.
   *
   * @param reason what the system says, or a sentence or two
   */
  public DiskException(Trouble trouble, Path path, String reason) {
    super(path.toString(), null, reason);
    this.trouble = trouble;
  }

  private DiskException(Trouble trouble, Path path, String reason, IOException cause) {
    this(trouble, path, reason);
    initCause(cause);
  }

  /** A write of so many bytes failed; {@code freeBytes} is -1 if the free space is unknown. */
  public static DiskException noRoom(Path path, long wantedBytes, long freeBytes) {
    return new DiskException(Trouble.NO_ROOM, path, lack(wantedBytes + " more bytes", freeBytes));
  }

  /** What it takes until the call can succeed. */
  public Trouble trouble() {
    return trouble;
  }

  /**
   * The {@code failure} of a call of this {@code kind} as the door reports it: one of the disk has
   * this type. What it tells of the name (that there is no such file, or already one) stays as it
   * is, and so does the end of a file.
   */
  static IOException explained(Kind kind, Path path, IOException failure) {
    return explained(kind, path, failure, 0, UNKNOWN);
  }

  static IOException explained(
      Kind kind, Path path, IOException failure, long wantedBytes, long freeBytes) {
    if (failure instanceof AccessDeniedException) {
      return new DiskException(
          Trouble.DENIED, path, "permission denied. Ask its owner for access.", failure);
    }
    if (failure.getClass() != IOException.class
        && failure.getClass() != FileSystemException.class) {
      return failure;
    }
    SystemWords words = SystemWords.of(failure);
    if (words.tellOfName(path)) {
      return failure;
    }
    if (SystemWords.isBelowFile(path)) {
      return new NotDirectoryException(path.toString());
    }
    if (words.tellOfNoRoom() || (freeBytes != UNKNOWN && freeBytes < wantedBytes)) {
      return new DiskException(
          Trouble.NO_ROOM, path, lack(wanted(kind, wantedBytes), freeBytes), failure);
    }
    Trouble usual = usualOf(kind);
    boolean isDenied =
        words.tellOfNoRight() || (usual == Trouble.OTHER && SystemWords.isReadOnly(path));
    Trouble trouble = isDenied ? Trouble.DENIED : usual;
    return new DiskException(trouble, path, words.toString(), failure);
  }

  private static Trouble usualOf(Kind kind) {
    return switch (kind) {
      case OPEN, EXISTS, LIST, FREE_SPACE, BLOCK_SIZE, FILE_NUMBER, READ, SIZE ->
          Trouble.UNREADABLE;
      case CREATE,
          MAKE_DIRECTORY,
          RENAME,
          DELETE,
          FORCE_DIRECTORY,
          WRITE,
          RESIZE,
          FORCE,
          TRY_LOCK,
          CLOSE ->
          Trouble.OTHER;
    };
  }

  private static String wanted(Kind kind, long bytes) {
    return switch (kind) {
      case CREATE, MAKE_DIRECTORY, RENAME -> "a new name";
      default -> bytes == 0 ? "the bytes written before" : bytes + " more bytes";
    };
  }

  private static String lack(String wanted, long freeBytes) {
    String free =
        freeBytes == UNKNOWN
            ? "The file system does not tell how much is free"
            : "The file system reports " + freeBytes + " bytes free; a quota may allow less";
    return "no space is left for "
        + wanted
        + ". "
        + free
        + ". Free some space there, or write elsewhere.";
  }
}
