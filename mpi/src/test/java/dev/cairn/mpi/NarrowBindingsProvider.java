package dev.cairn.mpi;

import dev.cairn.ranks.Transport;
import dev.cairn.ranks.TransportProvider;

/** The bindings as on a network with so small tags that most messages share theirs with others. */
public final class NarrowBindingsProvider implements TransportProvider {
  @Override
  public String getName() {
    return "mpi.jar with small tags";
  }

  @Override
  public Transport open() {
    return MpiTransport.over(BindingsRuntime.start(), NarrowForeignProvider.LARGEST_TAG);
  }
}
