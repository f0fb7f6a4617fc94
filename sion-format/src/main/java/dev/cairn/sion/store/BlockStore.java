package dev.cairn.sion.store;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The one door to files. Everything that Cairn reads or writes passes here, so a test can count,
 * trace, fail or crash any of it.
 *
 * <p>A failure of the disk, as when it is full, is a {@link DiskException}. What is wrong with a
 * name is the JDK's own: {@link java.nio.file.NoSuchFileException}, {@link
 * java.nio.file.FileAlreadyExistsException}, {@link java.nio.file.DirectoryNotEmptyException},
 * {@link java.nio.file.NotDirectoryException}, or another {@link IOException} that names the path.
 *
 * <p>A change to a directory (create, make directory, rename, delete) is durable only after {@link
 * #forceDirectory} of that directory; the bytes and the size of a file only after {@link
 * BlockFile#force}. The two are independent: a forced file whose directory was not forced can be
 * gone after a power loss. Where several hosts share a file system, each forces what it changed
 * itself.
 *
 * <p>Any thread may call any method; an interrupt neither aborts a call nor is lost. A store owns
 * nothing; the caller that opens a file closes it.
 */
public interface BlockStore {

  /** Opens an existing file, which is no directory. The caller closes it. */
  BlockFile open(Path file, Access access) throws IOException;

  /** Creates a file that must not exist yet, open for reading and writing. The caller closes it. */
  BlockFile create(Path file) throws IOException;

  /** Whether a file or directory of this name exists now. */
  boolean exists(Path path) throws IOException;

  /** The files and directories directly inside {@code directory}, sorted by name. */
  List<Path> list(Path directory) throws IOException;

  /** Creates a directory that must not exist yet; its parent must. */
  void makeDirectory(Path directory) throws IOException;

  /**
   * Renames a file inside its directory, atomically replacing a file of the new name, but no link
   * and no device. Other moves, and those of a directory, are refused with {@link
   * IllegalArgumentException}, since no file system promises them atomic. Open handles stay with
   * the file.
   */
  void rename(Path from, Path to) throws IOException;

  /**
   * Deletes a file or an empty directory. A file that is open stays readable and writable through
   * its handles.
   */
  void delete(Path path) throws IOException;

  /**
   * Deletes those of {@code files} that are there, in any order. A file system frees the blocks of
   * a large file within the call that deletes it, so a store may do several at once.
   */
  default void deleteAll(List<Path> files) throws IOException {
    for (Path file : files) {
      try {
        delete(file);
      } catch (NoSuchFileException gone) {
        // That is what the caller wants.
      }
    }
  }

  /** Makes every change of this host to the entries of {@code directory} durable. */
  void forceDirectory(Path directory) throws IOException;

  /**
   * The bytes that may still be written where {@code path}, an existing file or directory, lies.
   */
  long freeSpace(Path path) throws IOException;

  /** The file system's preferred unit of I/O where {@code path}, which must exist, lies. */
  BlockSize blockSize(Path path) throws IOException;

  /**
   * The number by which the file system knows an existing file, which POSIX calls its inode. It
   * stays with the file through a rename; a copy has another one, and so has every other file of
   * the file system. The number of a deleted file may be given to a new one.
   *
   * @return nothing where the file system has no such numbers
   */
  default OptionalLong fileNumber(Path file) throws IOException {
    return OptionalLong.empty();
  }

  /**
   * Where the file itself lies, if {@code path} is a symbolic link to one: a {@link #rename} puts
   * no file in the place of a link. Otherwise {@code path}.
   *
   * @throws NoSuchFileException if the link leads nowhere; the other file in it is what the link
   *     names
   */
  default Path followed(Path path) throws IOException {
    return path;
  }

  /**
   * Where {@code path} leads, with all links followed that can be: its last names, or the target of
   * a link, may not exist yet.
   */
  default Path realPath(Path path) {
    Path whole = path.toAbsolutePath();
    Path parent = whole.getParent();
    if (parent == null) {
      return whole;
    }
    Path place = realPath(parent).resolve(whole.getFileName()).normalize();
    try {
      return followed(place);
    } catch (NoSuchFileException missing) {
      String target = missing.getOtherFile();
      return target == null ? place : realPath(place.resolveSibling(target));
    } catch (IOException unknown) {
      return place;
    }
  }

  /**
   * A unit of I/O in bytes, and the source of the number for the log.
   *
   * @param bytes the size, at least 1
   * @param source the source of the number, as the end of a sentence: "the file system", "the table
   *     for nfs4"
   */
  public record BlockSize(int bytes, String source) {
    public BlockSize {
      if (bytes < 1) {
        throw new IllegalArgumentException("a block size is at least 1 byte, not " + bytes);
      }
      Objects.requireNonNull(source, "source");
    }
  }

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
}
