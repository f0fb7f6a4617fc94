package dev.cairn.sion.store.simulated;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A directory of a {@link SimulatedDisk}: names and what they lead to. Its own name lives in its
 * parent.
 */
final class SimulatedDirectory implements SimulatedNode {
  private final History<DirectoryEntries> history;

  SimulatedDirectory(DirectoryEntries entries, Collection<History<?>> unsyncedOnDisk) {
    history = new History<>(entries, unsyncedOnDisk);
  }

  /** The entries at one moment. */
  record DirectoryEntries(Map<String, SimulatedNode> byName)
      implements History.Copyable<DirectoryEntries> {
    DirectoryEntries() {
      this(new TreeMap<>());
    }

    @Override
    public DirectoryEntries copy() {
      return new DirectoryEntries(new TreeMap<>(byName));
    }
  }

  Map<String, SimulatedNode> entries() {
    return history.live().byName;
  }

  Optional<SimulatedNode> find(String name) {
    return Optional.ofNullable(entries().get(name));
  }

  void link(SimulatedDisk.HostOperation operation, String name, SimulatedNode node) {
    history.record(operation, entries -> entries.byName.put(name, node));
  }

  void unlink(SimulatedDisk.HostOperation operation, String name) {
    history.record(operation, entries -> entries.byName.remove(name));
  }

  /** One change: a crash leaves the old name or the new one, never both or none. */
  void rename(SimulatedDisk.HostOperation operation, String from, String to, SimulatedNode node) {
    history.record(
        operation,
        entries -> {
          entries.byName.remove(from);
          entries.byName.put(to, node);
        });
  }

  @Override
  public void force(String host) {
    history.force(host);
  }

  DirectoryEntries entriesAfter(CrashOutcome outcome) {
    return history.replayed(outcome);
  }
}
