package mpi;

public final class Status {
  private Status() {}

  public native int getSource();

  public native int getTag();

  public native int getCount(Datatype type) throws MPIException;
}
