package dev.cairn.mpi;

import dev.cairn.comm.Transport;
import dev.cairn.comm.TransportProvider;

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
    return MpiTransport.overWorld(MpiRuntime.start());
  }
}
