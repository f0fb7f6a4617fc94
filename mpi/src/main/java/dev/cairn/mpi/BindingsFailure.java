package dev.cairn.mpi;

import dev.cairn.mpi.MpiFailure.Kind;
import dev.cairn.mpi.MpiFailure.Verdict;
import java.util.Map;
import java.util.Objects;
import mpi.MPI;
import mpi.MPIException;

/** What the exceptions of Open MPI's Java bindings say. */
final class BindingsFailure {
  private BindingsFailure() {}

  static MpiFailure of(String call, int rank, MPIException cause) {
    int errorClass = cause.getErrorClass();
    Kind kind = kinds().getOrDefault(errorClass, Kind.OTHER);
    String text = Objects.toString(cause.getMessage());
    return new MpiFailure(call, rank, new Verdict(errorClass, kind, text), cause);
  }

  /** Not a constant: the numbers are known only when the native half has been loaded. */
  private static Map<Integer, Kind> kinds() {
    return Map.of(
        MPI.ERR_COMM, Kind.COMM,
        MPI.ERR_RANK, Kind.RANK,
        MPI.ERR_TAG, Kind.TAG,
        MPI.ERR_TRUNCATE, Kind.TRUNCATE,
        MPI.ERR_NO_MEM, Kind.NO_MEM);
  }
}
