package dev.cairn.sion.store.simulated;

import dev.cairn.sion.store.BlockStore;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a power failure did to the changes that were not forced: some are lost, one write may be
 * torn, all others reached the disk. A change may survive although an earlier one is lost, since
 * nothing but a force orders them.
 *
 * @param lost the changes of which nothing is left
 * @param torn the write of which a part is left
 */
public record CrashOutcome(Set<SimulatedDisk.HostOperation> lost, Optional<Tear> torn) {
  static final CrashOutcome NOTHING_LOST = losing(Set.of());

  private static final int SECTOR_BYTES = 512;

  /**
   * A write of which only the bytes from {@code keptFrom} up to {@code keptTo} reached the disk,
   * counted from its first byte.
   */
  public record Tear(SimulatedDisk.HostOperation write, int keptFrom, int keptTo) {}

  public CrashOutcome {
    lost = Set.copyOf(lost);
  }

  /** Exactly these changes are lost: for subsets that {@link SimulatedDisk#crashOutcomes} omits. */
  public static CrashOutcome losing(Set<SimulatedDisk.HostOperation> lost) {
    return new CrashOutcome(lost, Optional.empty());
  }

  /** Whether all of this change reached the disk. */
  boolean keeps(SimulatedDisk.HostOperation change) {
    return !lost.contains(change) && torn.stream().noneMatch(tear -> tear.write().equals(change));
  }

  /** The outcomes worth trying, without repetition; {@code unsynced} is in order. */
  static List<CrashOutcome> of(List<SimulatedDisk.HostOperation> unsynced) {
    Set<CrashOutcome> outcomes = new LinkedHashSet<>();
    outcomes.add(NOTHING_LOST);
    outcomes.add(losing(Set.copyOf(unsynced)));
    unsynced.forEach(change -> outcomes.add(losing(Set.of(change))));
    lastWrite(unsynced).ifPresent(write -> outcomes.addAll(tearing(write)));
    return new ArrayList<>(outcomes);
  }

  private static Optional<SimulatedDisk.HostOperation> lastWrite(
      List<SimulatedDisk.HostOperation> unsynced) {
    return unsynced.stream()
        .filter(change -> change.operation().kind() == BlockStore.Operation.Kind.WRITE)
        .reduce((earlier, later) -> later);
  }

  /** The front or the rear of the write survives, cut in the middle and at sectors of the disk. */
  private static List<CrashOutcome> tearing(SimulatedDisk.HostOperation write) {
    int length = (int) write.operation().length();
    List<CrashOutcome> outcomes = new ArrayList<>();
    for (int cut : cuts(write.operation().position(), length)) {
      outcomes.add(tearing(new Tear(write, 0, cut)));
      outcomes.add(tearing(new Tear(write, cut, length)));
    }
    return outcomes;
  }

  private static CrashOutcome tearing(Tear tear) {
    return new CrashOutcome(Set.of(), Optional.of(tear));
  }

  private static Set<Integer> cuts(long position, int length) {
    Set<Integer> cuts = new TreeSet<>();
    cuts.add(length / 2);
    cuts.add((int) (SECTOR_BYTES - position % SECTOR_BYTES));
    cuts.add((int) (length - (position + length) % SECTOR_BYTES));
    cuts.removeIf(cut -> cut <= 0 || cut >= length);
    return cuts;
  }
}
