package dev.cairn.mpi;

import org.jspecify.annotations.Nullable;

/**
 * A call of MPI has failed. The message names the call and the rank, and has MPI's own text and
 * what can be done.
 */
public final class MpiFailure extends RuntimeException {
  static final int NO_RANK = -1;

  /** The classes of errors for which there is something to do, and OTHER. */
  enum Kind {
    COMM("The communicator was freed: close what Cairn made of it first."),
    RANK("There is no such rank: please report this."),
    TAG("This network takes smaller tags only: please report this."),
    TRUNCATE("A message was longer than announced: please report this."),
    NO_MEM("MPI has no memory left: send less at once, or give the job more."),
    OTHER(
        "Look at what mpirun printed: the network, the launcher or another rank may have failed.");

    private final String remedy;

    Kind(String remedy) {
      this.remedy = remedy;
    }
  }

  /**
   * What MPI says of a call that failed.
   *
   * @param errorClass the number that this MPI has for {@code kind}
   */
  record Verdict(int errorClass, Kind kind, String text) {}

  private final String call;
  private final int rank;
  private final int errorClass;

  MpiFailure(String call, int rank, Verdict verdict, @Nullable Throwable cause) {
    super(text(call, rank, verdict), cause);
    this.call = call;
    this.rank = rank;
    this.errorClass = verdict.errorClass();
  }

  /** The function of MPI that failed, and what it was to do. */
  public String call() {
    return call;
  }

  /** The rank on which it failed; -1 if that was not known yet. */
  public int rank() {
    return rank;
  }

  /** The class of the error, such as MPI_ERR_TRUNCATE; each MPI has numbers of its own. */
  public int errorClass() {
    return errorClass;
  }

  private static String text(String call, int rank, Verdict verdict) {
    String where = rank == NO_RANK ? "" : " on rank " + rank;
    return call + " failed" + where + ": " + sentence(verdict.text()) + " " + verdict.kind().remedy;
  }

  /** Some texts of MPI end with a full stop, and most do not. */
  private static String sentence(String text) {
    return text.endsWith(".") ? text : text + ".";
  }
}
