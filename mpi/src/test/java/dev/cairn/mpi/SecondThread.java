package dev.cairn.mpi;

import dev.cairn.java.BlockingCommunicator;
import mpi.MPI;
import mpi.MPIException;

/** A program that makes a mistake: it calls Cairn from a thread of which MPI knows nothing. */
public final class SecondThread {
  private SecondThread() {}

  /** Prints what Cairn has to say about that. */
  public static void main(String[] args) throws MPIException, InterruptedException {
    MPI.Init(args);
    try (Cairn cairn = Cairn.over(MPI.COMM_WORLD)) {
      Thread second = new Thread(() -> meet(cairn.ranks()), "second");
      second.start();
      second.join();
    }
    MPI.Finalize();
  }

  private static void meet(BlockingCommunicator ranks) {
    try {
      ranks.barrier();
      System.out.println("taken");
    } catch (IllegalStateException refusal) {
      System.out.println("refused: " + refusal.getMessage());
    }
  }
}
