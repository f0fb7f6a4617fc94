package dev.cairn.sion.failure;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A multifile that cannot be read as it is. The message says which file, what was expected and
 * found, and what to do now; the type gives the kind of failure.
 *
 * <p>Failures of the store (no such file, no permission, no space) stay its {@link IOException},
 * and wrong use stays an {@link IllegalArgumentException} or {@link IllegalStateException}.
 */
public abstract sealed class SionException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Path file;

  private SionException(Path file, String sentence) {
    super(file + ": " + sentence);
    this.file = file;
  }

  /** The physical file that is damaged or missing. */
  public final Path file() {
    return file;
  }

  /** The file does not begin like a multifile. */
  public static final class NotAMultifile extends SionException {
    private static final long serialVersionUID = 1L;

    public NotAMultifile(Path file, String found) {
      super(
          file,
          "the first 4 bytes should be 'sion', but are "
              + found
              + ". This is no SION multifile, or its beginning is damaged: check the name and the"
              + " file.");
    }
  }

  /** The file was written in a format version that this library does not read. */
  public static final class UnsupportedVersion extends SionException {
    private static final long serialVersionUID = 1L;

    public UnsupportedVersion(Path file, long offset, String readable, String found) {
      super(
          file,
          String.format(
              "the file format version at byte %d should be %s, but is %s. Read it with the library"
                  + " that wrote it; if that was SIONlib 1.x, the file is damaged.",
              offset, readable, found));
    }
  }

  /** A field holds what no writer writes there. */
  public static final class Corrupt extends SionException {
    private static final long serialVersionUID = 1L;

    private final long offset;
    private final String field;

    public Corrupt(Path file, long offset, String field, String expected, String found) {
      super(
          file,
          String.format(
              "%s at byte %d should be %s, but is %s. The file is damaged: use another copy of it.",
              field, offset, expected, found));
      this.offset = offset;
      this.field = field;
    }

    /** Where the field begins. */
    public long offset() {
      return offset;
    }

    /** The field's name, as docs/reference/multifile.md has it. */
    public String field() {
      return field;
    }
  }

  /** The file ends before something that it must hold. */
  public static final class Truncated extends SionException {
    private static final long serialVersionUID = 1L;

    public Truncated(Path file, String part, long offset, long byteCount, long fileSize) {
      super(
          file,
          String.format(
              "%s at byte %d should have %d bytes, but the file ends at byte %d. The file was cut,"
                  + " is damaged, or its writer did not finish: use another copy of it.",
              part, offset, byteCount, fileSize));
    }
  }

  /** The writer never closed the file, so the lengths of the tasks were never recorded. */
  public static final class NeverClosed extends SionException {
    private static final long serialVersionUID = 1L;

    public NeverClosed(Path file, long offset) {
      super(
          file,
          String.format(
              "start_of_varheader at byte %d is 0 or missing: the writer never closed this"
                  + " multifile, so the lengths of its tasks are unknown. Use an older one.",
              offset));
    }
  }

  /** The length of an unclosed file implies more blocks than can be listed. */
  public static final class TooManyBlocks extends SionException {
    private static final long serialVersionUID = 1L;

    public TooManyBlocks(Path file, long most) {
      super(
          file,
          String.format(
              "it was not closed, and by its length its tasks can have used more than %d blocks,"
                  + " too many to find their lengths. If it ends in a hole, cut that off.",
              most));
    }
  }

  /** A physical file of the set is not where it should be. */
  public static final class MissingFile extends SionException {
    private static final long serialVersionUID = 1L;

    public MissingFile(Path file, Path first, int fileNumber, int fileCount) {
      super(
          file,
          String.format(
              "it does not exist, but %s has %d physical files, of which this is number %d, counted"
                  + " from 0. Copy it beside the others.",
              first, fileCount, fileNumber));
    }
  }

  /** A physical file beside the others was written for another multifile. */
  public static final class ForeignFile extends SionException {
    private static final long serialVersionUID = 1L;

    public ForeignFile(Path file, Path first, String field, Object expected, Object found) {
      super(
          file,
          String.format(
              "its %s should be %s, but is %s, so it does not belong to %s. Put the right file in"
                  + " its place.",
              field, expected, found, first));
    }
  }
}
