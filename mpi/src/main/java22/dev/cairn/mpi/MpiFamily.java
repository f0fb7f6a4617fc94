package dev.cairn.mpi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.mpi.MpiFailure.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What C programs get from {@code mpi.h}, and what therefore differs between the binary interfaces
 * of MPI's implementations: handles, constants, and the layout of MPI_Status.
 */
enum MpiFamily {
  /** Handles are addresses; those of predefined objects are symbols of the library. */
  OPEN_MPI("Open MPI|IBM Spectrum MPI", 24, 0, 4, 1),

  /** Handles are numbers. Other implementations have kept this interface since 2013. */
  MPICH("MPICH|MVAPICH|Intel\\(R\\) MPI", 20, 8, 12, 1),

  /**
   * The interface that MPI 5.0 prescribes. Handles are addresses, those of predefined objects small
   * numbers. Implementations have it in a library of its own, besides the one with their own
   * interface.
   */
  STANDARD("", 32, 0, 4, 1024);

  /** Objects that every MPI has, by their symbol in Open MPI and their number in the others. */
  enum Predefined {
    COMM_WORLD("ompi_mpi_comm_world", 0x44000000, 0x101),
    BYTE("ompi_mpi_byte", 0x4c00010d, 0x247),
    ERRORS_RETURN("ompi_mpi_errors_return", 0x54000001, 0x143);

    private final String symbol;
    private final int number;
    private final int standardNumber;

    Predefined(String symbol, int number, int standardNumber) {
      this.symbol = symbol;
      this.number = number;
      this.standardNumber = standardNumber;
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
  private final int threadFunneled;

  MpiFamily(String version, int statusSize, int sourceOffset, int tagOffset, int threadFunneled) {
    this.version = Pattern.compile(version);
    this.statusSize = statusSize;
    this.sourceOffset = sourceOffset;
    this.tagOffset = tagOffset;
    this.threadFunneled = threadFunneled;
  }

  /**
   * The family of a library with an interface of its own that says this in MPI_Get_library_version.
   */
  static Optional<MpiFamily> ofVersion(String text) {
    return Stream.of(OPEN_MPI, MPICH).filter(it -> it.version.matcher(text).find()).findFirst();
  }

  /** How a handle is passed. */
  ValueLayout handle() {
    return this == MPICH ? JAVA_INT : JAVA_LONG;
  }

  long read(MemorySegment slot) {
    return this == MPICH ? slot.get(JAVA_INT, 0) : slot.get(JAVA_LONG, 0);
  }

  void write(MemorySegment slot, long value) {
    if (this == MPICH) {
      slot.set(JAVA_INT, 0, (int) value);
    } else {
      slot.set(JAVA_LONG, 0, value);
    }
  }

  long predefined(Predefined object, NativeLibrary library) {
    return switch (this) {
      case OPEN_MPI -> library.symbol(object.symbol).address();
      case MPICH -> object.number;
      case STANDARD -> object.standardNumber;
    };
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
    return this == MPICH ? -2 : -1;
  }

  /** The key of the attribute MPI_TAG_UB. */
  int tagUb() {
    return switch (this) {
      case OPEN_MPI -> 0;
      case MPICH -> 0x64400001;
      case STANDARD -> 501;
    };
  }

  /** MPI_THREAD_FUNNELED; the levels below and above it have smaller and larger numbers. */
  int threadFunneled() {
    return threadFunneled;
  }

  Kind kindOf(int errorClass) {
    return switch (errorClass) {
      case ERR_TAG -> Kind.TAG;
      case ERR_COMM -> Kind.COMM;
      case ERR_RANK -> Kind.RANK;
      default ->
          errorClass == errTruncate()
              ? Kind.TRUNCATE
              : errorClass == errNoMem() ? Kind.NO_MEM : Kind.OTHER;
    };
  }

  private int errTruncate() {
    return this == MPICH ? 14 : 15;
  }

  private int errNoMem() {
    return this == MPICH ? 34 : 39;
  }
}
