package dev.cairn.sion.store.simulated;

/** What a name on a {@link SimulatedDisk} leads to. */
sealed interface SimulatedNode permits SimulatedFile, SimulatedDirectory {

  /** Makes durable what this host changed. */
  void force(String host);
}
