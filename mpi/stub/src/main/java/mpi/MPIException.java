package mpi;

public final class MPIException extends Exception {
  MPIException(int errorCode, int errorClass, String message) {
    super(message);
  }

  public native int getErrorClass();
}
