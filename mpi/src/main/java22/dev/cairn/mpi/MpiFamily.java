package dev.cairn.mpi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.mpi.MpiFailure.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What C programs get from {@code mpi.h}, and what therefore differs between the binary interfaces
 * of MPI's implementations: handles, constants, and the layout of MPI_Status.
 */
enum MpiFamily {
  /** Handles are addresses; those of predefined objects are symbols of the library. */
  OPEN_MPI("Open MPI|IBM Spectrum MPI", 24, 0, 4, -1, 0, 15, 39),

  /** Handles are numbers. Other implementations have kept this interface since 2013. */
  MPICH("MPICH|MVAPICH|Intel\\(R\\) MPI", 20, 8, 12, -2, 0x64400001, 14, 34);

  /** Objects that every MPI has, by their symbol in Open MPI and their number in MPICH. */
  enum Predefined {
    COMM_WORLD("ompi_mpi_comm_world", 0x44000000),
    BYTE("ompi_mpi_byte", 0x4c00010d),
    ERRORS_RETURN("ompi_mpi_errors_return", 0x54000001);

    private final String symbol;
    private final int number;

    Predefined(String symbol, int number) {
      this.symbol = symbol;
      this.number = number;
    }
  }

  private static final int ERR_TAG = 4;
  private static final int ERR_COMM = 5;
  private static final int ERR_RANK = 6;

  /** What is in the text of MPI_Get_library_version. */
  private final Pattern version;

  private final int statusSize;
  private final int sourceOffset;
  private final int tagOffset;
  private final int anySource;
  private final int tagUb;
  private final int errTruncate;
  private final int errNoMem;

  MpiFamily(
      String version,
      int statusSize,
      int sourceOffset,
      int tagOffset,
      int anySource,
      int tagUb,
      int errTruncate,
      int errNoMem) {
    this.version = Pattern.compile(version);
    this.statusSize = statusSize;
    this.sourceOffset = sourceOffset;
    this.tagOffset = tagOffset;
    this.anySource = anySource;
    this.tagUb = tagUb;
    this.errTruncate = errTruncate;
    this.errNoMem = errNoMem;
  }

  /** The family of a library that says this in MPI_Get_library_version. */
  static Optional<MpiFamily> ofVersion(String text) {
    for (MpiFamily family : values()) {
      if (family.version.matcher(text).find()) {
        return Optional.of(family);
      }
    }
    return Optional.empty();
  }

  /** How a handle is passed. */
  ValueLayout handle() {
    return this == OPEN_MPI ? JAVA_LONG : JAVA_INT;
  }

  long read(MemorySegment slot) {
    return this == OPEN_MPI ? slot.get(JAVA_LONG, 0) : slot.get(JAVA_INT, 0);
  }

  void write(MemorySegment slot, long value) {
    if (this == OPEN_MPI) {
      slot.set(JAVA_LONG, 0, value);
    } else {
      slot.set(JAVA_INT, 0, (int) value);
    }
  }

  long predefined(Predefined object, NativeLibrary library) {
    return this == OPEN_MPI ? library.symbol(object.symbol).address() : object.number;
  }

  int statusSize() {
    return statusSize;
  }

  int source(MemorySegment found) {
    return found.get(JAVA_INT, sourceOffset);
  }

  int tag(MemorySegment found) {
    return found.get(JAVA_INT, tagOffset);
  }

  int anySource() {
    return anySource;
  }

  /** The key of the attribute MPI_TAG_UB. */
  int tagUb() {
    return tagUb;
  }

  Kind kindOf(int errorClass) {
    return switch (errorClass) {
      case ERR_TAG -> Kind.TAG;
      case ERR_COMM -> Kind.COMM;
      case ERR_RANK -> Kind.RANK;
      default ->
          errorClass == errTruncate
              ? Kind.TRUNCATE
              : errorClass == errNoMem ? Kind.NO_MEM : Kind.OTHER;
    };
  }
}
