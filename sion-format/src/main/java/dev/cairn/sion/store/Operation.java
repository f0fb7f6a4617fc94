package dev.cairn.sion.store;

import java.nio.file.Path;

/**
 * One call through the door, before it is carried out.
 *
 * @param kind which method was called
 * @param path the file or directory; of a rename, the old name
 * @param position the first byte to read or write, or the new size; 0 for other kinds
 * @param length how many bytes are to be read or written; 0 for other kinds
 */
public record Operation(Kind kind, Path path, long position, long length) {

  /** The methods of {@link BlockStore} and {@link BlockFile}. */
  public enum Kind {
    OPEN,
    CREATE,
    EXISTS,
    LIST,
    MAKE_DIRECTORY,
    RENAME,
    DELETE,
    FORCE_DIRECTORY,
    FREE_SPACE,
    BLOCK_SIZE,
    FILE_NUMBER,
    READ,
    WRITE,
    SIZE,
    RESIZE,
    FORCE,
    TRY_LOCK,
    CLOSE
  }

  static Operation on(Kind kind, Path path) {
    return new Operation(kind, path, 0, 0);
  }

  /** A description such as "WRITE of 12 bytes at byte 40 of /scratch/data.sion". */
  @Override
  public String toString() {
    return switch (kind) {
      case READ, WRITE ->
          String.format("%s of %d bytes at byte %d of %s", kind, length, position, path);
      case RESIZE -> String.format("%s of %s to %d bytes", kind, path, position);
      default -> kind + " of " + path;
    };
  }
}
