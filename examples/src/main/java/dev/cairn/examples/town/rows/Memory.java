package dev.cairn.examples.town.rows;

import java.util.ArrayList;
import java.util.List;

/** All that an agent has heard, by the ids of the rumours, and the tales it still likes to tell. */
final class Memory {
  private static final long INTEREST = 2L * Clock.DAY;

  final List<Hearing> hearings = new ArrayList<>();
  final List<Hearing> tales = new ArrayList<>();

  /** Who told a rumour, when, and whether it was believed. */
  record Hearing(Rumour rumour, Agent teller, long time, boolean believed) {}

  /** People tell what they believe. */
  void add(Hearing hearing) {
    hearings.add(hearing);
    hearings.sort((one, other) -> one.rumour.id - other.rumour.id);
    if (hearing.believed) {
      tales.add(hearing);
    }
  }

  /** At night what is stale is forgotten, and what is no longer news is no longer told. */
  void fade() {
    hearings.removeIf(hearing -> hearing.rumour.isStale());
    tales.removeIf(t -> t.rumour.isStale() || Clock.TOWN.now() - t.time > INTEREST);
  }
}
