package dev.cairn.mpi;

import dev.cairn.event.TransportMissingException;
import org.jspecify.annotations.Nullable;

/**
 * Takes the place of a class of the same name in {@code META-INF/versions/22}, on versions of Java
 * that have no foreign functions, and in a build without a JDK 22 or later.
 */
@SuppressWarnings("DoNotCallSuggester") // The other class of this name does return.
final class ForeignLibrary {
  private ForeignLibrary() {}

  static @Nullable String obstacle() {
    return Runtime.version().feature() < 22
        ? "Java 22 or later is needed to call libmpi, and this is Java "
            + Runtime.version().feature()
        : "this build of Cairn was made without a JDK 22 or later, or its classes were taken out of"
            + " their jar";
  }

  static MpiWorld start() {
    throw missing();
  }

  /** Collective: a copy of the MPI_Comm {@code handle}. */
  static MpiComm over(long handle) {
    throw missing();
  }

  private static TransportMissingException missing() {
    return new TransportMissingException("libmpi cannot be called: " + obstacle() + ".");
  }
}
