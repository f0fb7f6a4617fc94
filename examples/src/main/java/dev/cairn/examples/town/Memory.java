package dev.cairn.examples.town;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All that an agent has heard, by the ids of the rumours, and the tales it still likes to tell. */
final class Memory {
  private static final long INTEREST = 2L * Clock.DAY;

  final Map<Integer, Hearing> hearings = new TreeMap<>();
  final List<Hearing> tales = new ArrayList<>();

  /** Who told a rumour, when, and whether it was believed. */
  record Hearing(Rumour rumour, Agent teller, long time, boolean believed) {}

  /** People tell what they believe. */
  void add(Hearing hearing) {
    hearings.put(hearing.rumour.id, hearing);
    if (hearing.believed) {
      tales.add(hearing);
    }
  }

  /** At night what is stale is forgotten, and what is no longer news is no longer told. */
  void fade() {
    hearings.values().removeIf(hearing -> hearing.rumour.isStale());
    tales.removeIf(t -> t.rumour.isStale() || Clock.TOWN.now() - t.time > INTEREST);
  }
}
