package mpi;

public final class Errhandler {
  private Errhandler() {}
}
