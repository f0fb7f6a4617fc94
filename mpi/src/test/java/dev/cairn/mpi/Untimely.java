package dev.cairn.mpi;

import mpi.MPI;
import mpi.MPIException;

/**
 * A program that calls Cairn too early and too late; prints what Cairn has to say about each call.
 */
public final class Untimely {
  private Untimely() {}

  /** For several processes, none of which MPI may end. */
  public static void main(String[] args) throws MPIException {
    print("before MPI.Init", () -> Cairn.over(MPI.COMM_WORLD));
    MPI.Init(args);
    Cairn closed = Cairn.over(MPI.COMM_WORLD);
    closed.ranks().barrier();
    closed.close();
    print("barrier after close", () -> closed.ranks().barrier());
    print("send after close", () -> closed.ranks().send(0, 1, "late"));
    print("abort after close", () -> closed.abort("late"));
    print("close after close", closed::close);
    Cairn open = Cairn.over(MPI.COMM_WORLD);
    MPI.Finalize();
    print("barrier after MPI.Finalize", () -> open.ranks().barrier());
    print("close after MPI.Finalize", open::close);
    print("over after MPI.Finalize", () -> Cairn.over(MPI.COMM_WORLD));
  }

  private static void print(String what, Runnable call) {
    try {
      call.run();
      System.out.println(what + ": taken");
    } catch (IllegalStateException refusal) {
      System.out.println(what + ": " + refusal.getMessage());
    }
  }
}
