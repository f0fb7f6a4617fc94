package dev.cairn.mpi;

import dev.cairn.event.TransportMissingException;

/** A program that starts MPI as a launched one would, and prints why it cannot. */
public final class BindingsStartedAlone {
  private BindingsStartedAlone() {}

  /** Takes no arguments. */
  public static void main(String[] args) throws Exception {
    try {
      new BindingsProvider().open().close();
      System.out.println("started");
    } catch (TransportMissingException refusal) {
      System.out.println("refused: " + refusal.getMessage());
    }
  }
}
