package mpi;

/** Constants have no value here, or the compiler would copy it into the classes that use it. */
public final class MPI {
  public static Intracomm COMM_WORLD;
  public static int ANY_SOURCE;
  public static int PROC_NULL;
  public static int TAG_UB;
  public static int THREAD_FUNNELED;
  public static Datatype BYTE;
  public static Datatype DOUBLE;
  public static Datatype LONG;
  public static Op SUM;
  public static Errhandler ERRORS_RETURN;
  public static int ERR_COMM;
  public static int ERR_NO_MEM;
  public static int ERR_OTHER;
  public static int ERR_RANK;
  public static int ERR_TAG;
  public static int ERR_TRUNCATE;

  private MPI() {}

  public static native String[] Init(String[] args) throws MPIException;

  public static native int InitThread(String[] args, int required) throws MPIException;

  public static native void Finalize() throws MPIException;

  public static native boolean isInitialized() throws MPIException;

  public static native boolean isFinalized() throws MPIException;

  public static native String getProcessorName() throws MPIException;
}
