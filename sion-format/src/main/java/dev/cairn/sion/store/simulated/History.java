package dev.cairn.sion.store.simulated;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What one file or directory of a {@link SimulatedDisk} holds: a durable base and, in order, the
 * changes since, each of which its host has forced or not. The live content is the base with all of
 * them.
 *
 * <p>A forced change stays in the list while an earlier one is not forced: were it merged into the
 * base at once, the earlier one would later overwrite it. Not thread-safe.
 */
final class History<C extends History.Copyable<C>> {

  /** What the changes are made to. */
  interface Copyable<C> {
    /** A copy that shows no later change of this one. */
    C copy();
  }

  /** A change that can be made again to another copy of the content. */
  interface Change<C> {
    void applyTo(C content);

    /** Only a write can be torn. */
    default void applyPart(C content, CrashOutcome.Tear tear) {
      throw new IllegalArgumentException(tear.write() + " is not a write; it cannot be torn");
    }
  }

  private static final class Step<C> {
    final SimulatedDisk.HostOperation operation;
    final Change<C> change;
    boolean forced;

    Step(SimulatedDisk.HostOperation operation, Change<C> change) {
      this.operation = operation;
      this.change = change;
    }
  }

  private final C base;
  private final Deque<Step<C>> steps = new ArrayDeque<>();
  private final Map<String, List<Step<C>>> unsyncedByHost = new HashMap<>();
  private final Collection<History<?>> unsyncedOnDisk;
  private C live;

  /**
   * @param base owned by this history from now on
   * @param unsyncedOnDisk the registry of histories with unforced changes
   */
  History(C base, Collection<History<?>> unsyncedOnDisk) {
    this.base = base;
    this.live = base.copy();
    this.unsyncedOnDisk = unsyncedOnDisk;
  }

  /** To be read only; it changes through {@link #record}. */
  C live() {
    return live;
  }

  void record(SimulatedDisk.HostOperation operation, Change<C> change) {
    change.applyTo(live);
    Step<C> step = new Step<>(operation, change);
    steps.add(step);
    unsyncedByHost.computeIfAbsent(operation.host(), host -> new ArrayList<>()).add(step);
    unsyncedOnDisk.add(this);
  }

  /** Makes this host's changes durable. */
  void force(String host) {
    takeUnsynced(host).forEach(step -> step.forced = true);
    mergeForced();
  }

  /** Undoes what this host, which died, has not forced. */
  void forget(String host) {
    Set<Step<C>> lost = Set.copyOf(takeUnsynced(host));
    steps.removeIf(lost::contains);
    mergeForced();
    live = replayed(CrashOutcome.NOTHING_LOST);
  }

  /** The content that a power failure with this outcome leaves. */
  C replayed(CrashOutcome outcome) {
    C content = base.copy();
    for (Step<C> step : steps) {
      replay(step, outcome, content);
    }
    return content;
  }

  Stream<SimulatedDisk.HostOperation> unsynced() {
    return unsyncedByHost.values().stream().flatMap(List::stream).map(step -> step.operation);
  }

  private void mergeForced() {
    while (!steps.isEmpty() && steps.peek().forced) {
      steps.poll().change.applyTo(base);
    }
  }

  private void replay(Step<C> step, CrashOutcome outcome, C content) {
    if (step.forced || outcome.keeps(step.operation)) {
      step.change.applyTo(content);
    } else {
      outcome
          .torn()
          .filter(tear -> tear.write().equals(step.operation))
          .ifPresent(tear -> step.change.applyPart(content, tear));
    }
  }

  private List<Step<C>> takeUnsynced(String host) {
    List<Step<C>> taken = unsyncedByHost.remove(host);
    if (unsyncedByHost.isEmpty()) {
      unsyncedOnDisk.remove(this);
    }
    return taken == null ? List.of() : taken;
  }
}
