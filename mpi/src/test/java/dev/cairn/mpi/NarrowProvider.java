package dev.cairn.mpi;

import dev.cairn.comm.transport.Transport;
import dev.cairn.comm.transport.TransportProvider;

/**
 * Open MPI as on a network that takes so small tags that most messages share theirs with others.
 */
public final class NarrowProvider implements TransportProvider {
  private static final int LARGEST_TAG = 3;

  @Override
  public String getName() {
    return "Open MPI with small tags";
  }

  @Override
  public Transport open() {
    return MpiTransport.overWorld(MpiRuntime.start(), LARGEST_TAG);
  }
}
