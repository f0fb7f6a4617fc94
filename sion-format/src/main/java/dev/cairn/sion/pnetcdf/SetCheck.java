package dev.cairn.sion.pnetcdf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Compares logs with their names, and with each other.
 *
 * @param losses sentences on what is not there
 * @param conflicts sentences on what contradicts each other
 */
record SetCheck(List<String> losses, List<String> conflicts) {
  private static final int MOST_NAMED = 10;

  static SetCheck of(List<BurstLog> logs) {
    SetCheck check = new SetCheck(new ArrayList<>(), new ArrayList<>());
    logs.forEach(check::addDamage);
    List<BurstLog> known = logs.stream().filter(log -> log.header().isPresent()).toList();
    if (!known.isEmpty()) {
      known.forEach(check::compareWithName);
      known.forEach(log -> check.compare(known.get(0), log));
      check.addMissing(known);
    }
    return new SetCheck(List.copyOf(check.losses), List.copyOf(check.conflicts));
  }

  private void addDamage(BurstLog log) {
    log.damage()
        .ifPresent(
            damage ->
                losses.add(
                    String.format(
                        "%s. The log is damaged: %s can be used.",
                        damage, usable(log.putCount()))));
  }

  private static String usable(int putCount) {
    return switch (putCount) {
      case 0 -> "nothing of it";
      case 1 -> "only its first put";
      default -> "only its first " + putCount + " puts";
    };
  }

  private void compareWithName(BurstLog log) {
    MetaHeader header = log.header().orElseThrow();
    String target = header.target().substring(header.target().lastIndexOf('/') + 1);
    boolean isFirstSharer = log.sharer() == 0;
    if (!target.equals(log.name().target())
        || (isFirstSharer && header.rank() != log.name().rank())) {
      conflicts.add(
          String.format(
              "%s: it is the log of rank %d for %s, as its header says, and should not have this"
                  + " name. Name it as PnetCDF did.",
              log.name().meta(), header.rank(), header.target()));
    }
  }

  private void compare(BurstLog first, BurstLog log) {
    MetaHeader expected = first.header().orElseThrow();
    MetaHeader found = log.header().orElseThrow();
    if (found.rankCount() != expected.rankCount() || !found.target().equals(expected.target())) {
      conflicts.add(
          String.format(
              "%s: it is of a program with %d processes that wrote %s, but %s of one with %d that"
                  + " wrote %s. Name only logs that belong together.",
              log.name().meta(),
              found.rankCount(),
              found.target(),
              first.name().meta(),
              expected.rankCount(),
              expected.target()));
    }
  }

  private void addMissing(List<BurstLog> known) {
    MetaHeader any = known.get(0).header().orElseThrow();
    Map<Integer, BurstLog> byRank = new HashMap<>();
    for (BurstLog log : known) {
      BurstLog other = byRank.put(log.rank(), log);
      if (other != null) {
        conflicts.add(
            String.format(
                "%s and %s: both are logs of rank %d. Name only one of them.",
                other.name().meta(), log.name().meta(), log.rank()));
      }
    }
    int missing = any.rankCount() - byRank.size();
    if (missing > 0) {
      losses.add(
          String.format(
              "%s: the logs of %d of %d processes are missing: %s %s. Bring them from the disks of"
                  + " their hosts.",
              known.get(0).name().directory().resolve(known.get(0).name().program()),
              missing,
              any.rankCount(),
              missing == 1 ? "rank" : "ranks",
              firstMissing(byRank, any.rankCount())));
    }
  }

  private static String firstMissing(Map<Integer, BurstLog> byRank, int rankCount) {
    String named =
        IntStream.range(0, rankCount)
            .filter(rank -> !byRank.containsKey(rank))
            .limit(MOST_NAMED)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "));
    return rankCount - byRank.size() > MOST_NAMED ? named + " and more" : named;
  }
}
