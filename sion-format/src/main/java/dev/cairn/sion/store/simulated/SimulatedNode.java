package dev.cairn.sion.store.simulated;

/** A file or directory of a {@link SimulatedDisk}. */
sealed interface SimulatedNode permits SimulatedFile, SimulatedDirectory {

  /** Makes durable what this host changed. */
  void force(String host);
}
