package dev.cairn.mpi;

import dev.cairn.ranks.Transport;
import dev.cairn.ranks.TransportProvider;
import org.jspecify.annotations.Nullable;

/**
 * Ranks are processes of the machine's own MPI, whose C library is called through Java's foreign
 * functions: Open MPI, MPICH, and implementations with MPICH's ABI. It needs Java 22. Found by
 * {@link java.util.ServiceLoader} in programs that {@code mpirun} or {@code srun} has started.
 */
public final class ForeignProvider implements TransportProvider {
  /** For the service loader. */
  public ForeignProvider() {}

  @Override
  public String getName() {
    return "libmpi";
  }

  @Override
  public @Nullable String getObstacle() {
    return ForeignLibrary.obstacle();
  }

  /** Starts MPI on this thread, and ends it there when the transport is closed. */
  @Override
  public Transport open() {
    return MpiTransport.over(ForeignLibrary.start());
  }
}
