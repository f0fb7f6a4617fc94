package dev.cairn.mpi;

import dev.cairn.ranks.Transport;
import dev.cairn.ranks.TransportProvider;

/** libmpi as on a network with so small tags that most messages share theirs with others. */
public final class NarrowForeignProvider implements TransportProvider {
  static final int LARGEST_TAG = 3;

  @Override
  public String getName() {
    return "libmpi with small tags";
  }

  @Override
  public Transport open() {
    return MpiTransport.over(ForeignLibrary.start(), LARGEST_TAG);
  }
}
