package dev.cairn.sion.store.simulated;

import dev.cairn.sion.store.Operation;

/**
 * An operation that a {@link SimulatedDisk} has carried out.
 *
 * @param number counts all operations of the disk, from 1
 * @param host whose operation it was
 */
public record HostOperation(long number, String host, Operation operation) {
  @Override
  public String toString() {
    return String.format("operation %d on %s, %s", number, host, operation);
  }
}
