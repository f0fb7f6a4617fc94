package dev.cairn.mpi;

import dev.cairn.java.BlockingCommunicator;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;

/** A program that has started MPI itself, and sends messages of its own while Cairn does. */
public final class OwnMpi {
  private static final int TAG = 0;

  private OwnMpi() {}

  // region own-mpi
  /** Half of the processes compute; Cairn knows of these only. */
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int process = MPI.COMM_WORLD.getRank();
    Comm solvers = MPI.COMM_WORLD.split(process % 2, process);
    try (Cairn cairn = Cairn.over(solvers)) {
      solve(solvers, cairn.ranks());
    }
    MPI.Finalize();
  }

  // endregion

  private static void solve(Comm solvers, BlockingCommunicator ranks) throws MPIException {
    int next = (ranks.rank() + 1) % ranks.size();
    int previous = (ranks.rank() + ranks.size() - 1) % ranks.size();
    byte[] own = {(byte) ranks.rank()};
    byte[] received = new byte[1];
    Thread caller = Thread.currentThread();

    solvers.send(own, 1, MPI.BYTE, next, TAG);
    long count = ranks.allReduce(1, Long::sum);
    Thread worker = ranks.collectively("look", Thread::currentThread);
    solvers.recv(received, 1, MPI.BYTE, previous, TAG);

    boolean isRight =
        count == solvers.getSize() && worker == caller && received[0] == previous && isRunning();
    System.out.println((isRight ? "right" : "wrong") + ": rank " + ranks.rank() + " of " + count);
  }

  private static boolean isRunning() throws MPIException {
    return MPI.isInitialized() && !MPI.isFinalized();
  }
}
