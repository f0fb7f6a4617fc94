package dev.cairn.mpi;

import dev.cairn.comm.transport.Transport;
import dev.cairn.comm.transport.TransportProvider;
import dev.cairn.failure.TransportMissingException;

/**
 * Ranks are processes of Open MPI. Found by {@link java.util.ServiceLoader} in programs that {@code
 * mpirun} or {@code srun} has started.
 */
public final class MpiProvider implements TransportProvider {
  /** For the service loader. */
  public MpiProvider() {}

  @Override
  public String getName() {
    return "Open MPI";
  }

  /** Starts MPI on this thread, and ends it there when the transport is closed. */
  @Override
  public Transport open() {
    try {
      return MpiTransport.overWorld(MpiRuntime.start());
    } catch (NoClassDefFoundError missing) {
      throw new TransportMissingException(
          "Open MPI's mpi.jar cannot be found. Put it on the class path, beside Cairn's mpi module;"
              + " it must be of the same Open MPI as mpirun.",
          missing);
    }
  }
}
