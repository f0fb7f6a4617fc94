package dev.cairn.mpi;

import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;

/** A program that makes a mistake: it hands over a communicator that it has given back. */
public final class ClosedTooEarly {
  private ClosedTooEarly() {}

  /** Prints what Cairn has to say about that. */
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
    Comm gone = MPI.COMM_WORLD.dup();
    gone.free();
    try (Cairn cairn = Cairn.over(gone)) {
      System.out.println("taken: " + cairn.ranks().size());
    } catch (MpiFailure failure) {
      System.out.println("refused: " + failure.getMessage());
    }
    MPI.Finalize();
  }
}
