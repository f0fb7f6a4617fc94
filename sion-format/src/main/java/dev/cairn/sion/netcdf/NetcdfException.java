package dev.cairn.sion.netcdf;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A NetCDF file that cannot be read or written as was asked. The message says which file, what was
 * expected and found, and what to do now. Failures of the store stay its {@link IOException}, and
 * wrong use stays an {@link IllegalArgumentException}.
 */
public abstract sealed class NetcdfException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Path file;

  private NetcdfException(Path file, String sentence) {
    super(file + ": " + sentence);
    this.file = file;
  }

  public final Path file() {
    return file;
  }

  /** The file is of no variant of the classic format. */
  public static final class NotClassic extends NetcdfException {
    private static final long serialVersionUID = 1L;

    private NotClassic(Path file, String sentence) {
      super(file, sentence);
    }

    static NotClassic beginning(Path file, String found) {
      return new NotClassic(
          file,
          String.format(
              "the first 4 bytes should be 'CDF' and 1, 2 or 5, but are %s. This is no NetCDF"
                  + " classic file: check the name.",
              found));
    }

    static NotClassic hdf5(Path file) {
      return new NotClassic(
          file,
          "this is an HDF5 file, perhaps NetCDF-4. If so, 'nccopy -k cdf5' makes a classic file of"
              + " it.");
    }
  }

  /** A field of the header holds what no writer writes there. */
  public static final class Corrupt extends NetcdfException {
    private static final long serialVersionUID = 1L;

    private final long offset;

    Corrupt(Path file, long offset, String field, String expected, Object found) {
      this(
          file,
          offset,
          String.format("%s at byte %d should be %s, but is %s", field, offset, expected, found));
    }

    Corrupt(Path file, long offset, String sentence) {
      super(file, sentence + ". The file is damaged: use another copy of it.");
      this.offset = offset;
    }

    /** Where what is wrong begins. */
    public long offset() {
      return offset;
    }
  }

  /** The file ends before something that it must hold. */
  public static final class Truncated extends NetcdfException {
    private static final long serialVersionUID = 1L;

    Truncated(Path file, String part, long offset, long byteCount, long fileSize) {
      super(
          file,
          String.format(
              "%s at byte %d should have %d bytes, but the file ends at byte %d. The file was cut,"
                  + " or nothing was written there: use another copy of it, or read other parts.",
              part, offset, byteCount, fileSize));
    }
  }

  /** A value has no counterpart in the type into which it was to be converted. */
  public static final class OutOfRange extends NetcdfException {
    private static final long serialVersionUID = 1L;

    private final String variable;
    private final long[] indices;

    OutOfRange(
        Path file, String variable, long[] indices, String value, NetcdfType type, String remedy) {
      super(
          file,
          String.format(
              "variable %s has at %s the value %s, which is no %s. %s",
              variable, Arrays.toString(indices), value, type, remedy));
      this.variable = variable;
      this.indices = indices.clone();
    }

    /** The variable to which the value belongs. */
    public String variable() {
      return variable;
    }

    /** Where the value belongs in the variable. */
    public long[] indices() {
      return indices.clone();
    }
  }
}
