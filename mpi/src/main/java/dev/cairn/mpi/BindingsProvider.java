package dev.cairn.mpi;

import dev.cairn.ranks.Transport;
import dev.cairn.ranks.TransportProvider;
import org.jspecify.annotations.Nullable;

/**
 * Ranks are processes of Open MPI, reached through its Java bindings. Found by {@link
 * java.util.ServiceLoader} in programs that {@code mpirun} or {@code srun} has started.
 */
public final class BindingsProvider implements TransportProvider {
  /** For the service loader. */
  public BindingsProvider() {}

  @Override
  public String getName() {
    return "mpi.jar";
  }

  @Override
  public @Nullable String getObstacle() {
    try {
      Class.forName("mpi.MPI", false, BindingsProvider.class.getClassLoader());
      return null;
    } catch (ClassNotFoundException missing) {
      return "Open MPI's mpi.jar, of the same Open MPI as mpirun, is not on the class path";
    }
  }

  /** Starts MPI on this thread, and ends it there when the transport is closed. */
  @Override
  public Transport open() {
    return MpiTransport.over(BindingsRuntime.start());
  }
}
