package mpi;

public class Intracomm extends Comm {
  Intracomm() {}

  public final native Intracomm split(int color, int key) throws MPIException;
}
