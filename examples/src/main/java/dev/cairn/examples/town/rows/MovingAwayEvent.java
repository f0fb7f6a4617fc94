package dev.cairn.examples.town.rows;

import java.util.List;

/** A resident who has thought about it leaves the town, unless money or loneliness forbids it. */
record MovingAwayEvent(Resident resident) implements Event {
  private static final long CONTENT = 20_000;

  @Override
  public void happen(Town town) {
    List<Agent> residents = Registry.ofKind(Kind.RESIDENT);
    Resident next = (Resident) town.pick(residents);
    if (resident.isInTown() && resident.money < CONTENT && residents.size() > 1) {
      town.release(resident);
    }
    town.scheduler.add(town.timeOfNext("departures"), new MovingAwayEvent(next));
  }
}
