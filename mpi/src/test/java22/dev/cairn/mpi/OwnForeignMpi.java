package dev.cairn.mpi;

import dev.cairn.java.BlockingCommunicator;

/** A program that calls libmpi itself, and sends messages of its own while Cairn does. */
public final class OwnForeignMpi {
  private static final int TAG = 0;

  private OwnForeignMpi() {}

  // region own-foreign-mpi
  /** Half of the processes compute; Cairn knows of these only. */
  public static void main(String[] args) {
    ForeignProgram mpi = new ForeignProgram();
    mpi.start();
    int process = mpi.rank(mpi.world());
    long solvers = mpi.split(process % 2, process);
    try (ForeignMpi cairn = ForeignMpi.over(solvers)) {
      solve(mpi, solvers, cairn.ranks());
    }
    mpi.finish();
  }

  // endregion

  private static void solve(ForeignProgram mpi, long solvers, BlockingCommunicator ranks) {
    int next = (ranks.rank() + 1) % ranks.size();
    int previous = (ranks.rank() + ranks.size() - 1) % ranks.size();
    Thread caller = Thread.currentThread();

    Runnable sent = mpi.send(solvers, (byte) ranks.rank(), next, TAG);
    long count = ranks.allReduce(1, Long::sum);
    Thread worker = ranks.collectively("look", Thread::currentThread);
    byte received = mpi.receive(solvers, previous, TAG);
    sent.run();

    boolean isRight = count == ranks.size() && worker == caller && received == previous;
    System.out.println((isRight ? "right" : "wrong") + ": rank " + ranks.rank() + " of " + count);
  }
}
