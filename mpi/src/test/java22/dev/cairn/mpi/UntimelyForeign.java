package dev.cairn.mpi;

/** A program that calls Cairn too early, too late, and from a thread of which MPI knows nothing. */
public final class UntimelyForeign {
  private UntimelyForeign() {}

  /** Prints what Cairn has to say about each call. */
  public static void main(String[] args) throws InterruptedException {
    ForeignProgram mpi = new ForeignProgram();
    print("before MPI_Init", () -> ForeignMpi.over(mpi.world()));
    mpi.start();
    Thread second = new Thread(() -> ForeignMpi.over(mpi.world()), "second");
    second.setUncaughtExceptionHandler(
        (thread, failure) ->
            System.out.println("over on a second thread: " + failure.getMessage()));
    second.start();
    second.join();
    ForeignMpi closed = ForeignMpi.over(mpi.world());
    closed.ranks().barrier();
    closed.close();
    print("barrier after close", () -> closed.ranks().barrier());
    print("close after close", closed::close);
    ForeignMpi open = ForeignMpi.over(mpi.world());
    mpi.finish();
    print("barrier after MPI_Finalize", () -> open.ranks().barrier());
    print("over after MPI_Finalize", () -> ForeignMpi.over(mpi.world()));
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
