package dev.cairn.mpi;

import java.util.Map;
import java.util.Objects;
import mpi.MPI;
import mpi.MPIException;

/**
 * A call of MPI has failed. The message names the call and the rank, and has MPI's own text and
 * what can be done.
 */
public final class MpiFailure extends RuntimeException {
  static final int NO_RANK = -1;

  private static final String ELSE =
      "Look at what mpirun printed: the network, the launcher or another rank may have failed.";

  private final String call;
  private final int rank;
  private final int errorClass;

  private MpiFailure(String call, int rank, MPIException cause) {
    super(text(call, rank, cause), cause);
    this.call = call;
    this.rank = rank;
    this.errorClass = cause.getErrorClass();
  }

  static MpiFailure of(String call, int rank, MPIException cause) {
    return new MpiFailure(call, rank, cause);
  }

  /** The function of MPI that failed, and what it was to do. */
  public String call() {
    return call;
  }

  /** The rank on which it failed; -1 if that was not known yet. */
  public int rank() {
    return rank;
  }

  /** MPI's class of the error, such as {@code MPI.ERR_TRUNCATE}. */
  public int errorClass() {
    return errorClass;
  }

  private static String text(String call, int rank, MPIException cause) {
    String where = rank == NO_RANK ? "" : " on rank " + rank;
    String remedy = remedies().getOrDefault(cause.getErrorClass(), ELSE);
    String reason = sentence(Objects.toString(cause.getMessage()));
    return call + " failed" + where + ": " + reason + " " + remedy;
  }

  /** Some texts of MPI end with a full stop, and most do not. */
  private static String sentence(String text) {
    return text.endsWith(".") ? text : text + ".";
  }

  /** Not a constant: the numbers are known only when the native half has been loaded. */
  private static Map<Integer, String> remedies() {
    return Map.of(
        MPI.ERR_COMM, "The communicator was freed: close what Cairn made of it first.",
        MPI.ERR_RANK, "There is no such rank: please report this.",
        MPI.ERR_TAG, "This network takes smaller tags only: please report this.",
        MPI.ERR_TRUNCATE, "A message was longer than announced: please report this.",
        MPI.ERR_NO_MEM, "MPI has no memory left: send less at once, or give the job more.",
        MPI.ERR_OTHER, ELSE);
  }
}
