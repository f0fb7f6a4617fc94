package mpi;

public class Request {
  Request() {}

  public final native boolean test() throws MPIException;
}
