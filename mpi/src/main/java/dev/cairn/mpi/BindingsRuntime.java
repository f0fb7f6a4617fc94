package dev.cairn.mpi;

import dev.cairn.event.TransportMissingException;
import mpi.MPI;
import mpi.MPIException;

/**
 * Open MPI itself: started and ended once in a process, both on the same thread. MPI is initialised
 * for a single thread; more would be correct, but much slower.
 */
final class BindingsRuntime {
  private BindingsRuntime() {}

  static MpiWorld start() {
    try {
      MPI.InitThread(new String[0], MPI.THREAD_FUNNELED);
    } catch (MPIException failure) {
      throw BindingsFailure.of("MPI_Init_thread", MpiFailure.NO_RANK, failure);
    } catch (UnsatisfiedLinkError missing) {
      throw new TransportMissingException(
          "The native half of Open MPI's Java bindings cannot be loaded: "
              + missing.getMessage()
              + ". Start the program with -Djava.library.path=DIRECTORY, where DIRECTORY has"
              + " libmpi_java.so and is of the same Open MPI as mpi.jar and mpirun.",
          missing);
    }
    return new MpiWorld(BindingsComm.over(MPI.COMM_WORLD), BindingsRuntime::finish, () -> {});
  }

  private static void finish() {
    try {
      MPI.Finalize();
    } catch (MPIException failure) {
      throw BindingsFailure.of("MPI_Finalize", MpiFailure.NO_RANK, failure);
    }
  }
}
