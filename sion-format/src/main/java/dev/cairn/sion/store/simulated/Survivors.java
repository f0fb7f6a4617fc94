package dev.cairn.sion.store.simulated;

import java.util.Collection;
import java.util.IdentityHashMap;

/** Copies what a crash leaves; a file with two names stays one file. */
final class Survivors {
  private final CrashOutcome outcome;
  private final Collection<History<?>> unsyncedOnDisk;
  private final IdentityHashMap<SimulatedNode, SimulatedNode> copies = new IdentityHashMap<>();

  /**
   * @param unsyncedOnDisk of the disk that the copies belong to
   */
  Survivors(CrashOutcome outcome, Collection<History<?>> unsyncedOnDisk) {
    this.outcome = outcome;
    this.unsyncedOnDisk = unsyncedOnDisk;
  }

  SimulatedDirectory.DirectoryEntries entriesOf(SimulatedDirectory directory) {
    SimulatedDirectory.DirectoryEntries entries = directory.entriesAfter(outcome);
    entries.byName().replaceAll((name, node) -> copyOnce(node));
    return entries;
  }

  private SimulatedNode copyOnce(SimulatedNode node) {
    SimulatedNode known = copies.get(node);
    if (known != null) {
      return known;
    }
    SimulatedNode copy = copyOf(node);
    copies.put(node, copy);
    return copy;
  }

  private SimulatedNode copyOf(SimulatedNode node) {
    if (node instanceof SimulatedDirectory directory) {
      return new SimulatedDirectory(entriesOf(directory), unsyncedOnDisk);
    }
    SimulatedFile file = (SimulatedFile) node;
    return new SimulatedFile(file.number(), file.contentAfter(outcome), unsyncedOnDisk);
  }
}
