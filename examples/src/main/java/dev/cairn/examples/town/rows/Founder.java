package dev.cairn.examples.town.rows;

import java.util.List;
import java.util.Locale;

/** Founds the town: its households and people, who knows whom, and the first events. */
final class Founder {
  private static final int INTRODUCTIONS = 3;
  private static final int SHOPS_VISITED = 3;

  private final Town town;

  Founder(Town town) {
    this.town = town;
  }

  void found() {
    settle();
    List<Agent> everyone = Registry.everyone();
    List<Agent> reporters = Registry.ofKind(Kind.REPORTER);
    for (Agent agent : everyone) {
      introduce(agent, town.grid.neighbours(agent));
      introduce(agent, everyone);
      ((Reporter) town.pick(reporters)).subscribers.add(agent);
    }
    everyone.forEach(Agent::chooseBestFriend);
    List<Agent> residents = Registry.ofKind(Kind.RESIDENT);
    residents.forEach(agent -> chooseShops((Resident) agent));
    town.shops.forEach(shop -> town.scheduler.add(7 * Clock.HOUR, new OpeningEvent(shop)));
    town.scheduler.add(0, new RumourEvent());
    town.scheduler.add(0, new BirthEvent(town.pick(town.households)));
    town.scheduler.add(0, new MovingAwayEvent((Resident) town.pick(residents)));
  }

  /** Every third newcomer, on average, founds a household, and the others move in with somebody. */
  private void settle() {
    for (Kind kind : Kind.values()) {
      int count = town.settings.number(kind.name().toLowerCase(Locale.ROOT) + "s");
      for (int i = 0; i < count; i++) {
        boolean founds = town.households.isEmpty() || town.random.nextInt(3) == 0;
        Household household = founds ? new Household(town) : town.pick(town.households);
        town.admit(create(kind, household));
      }
    }
  }

  private Agent create(Kind kind, Household household) {
    return switch (kind) {
      case RESIDENT -> new Resident(household, 4_000 + town.random.nextInt(5_000), town.random);
      case SHOPKEEPER -> new Shopkeeper(household, new Shop(town), town.random);
      case COURIER -> new Courier(household, town.random);
      case REPORTER -> new Reporter(household, town.random);
    };
  }

  private void introduce(Agent agent, List<Agent> others) {
    for (int i = 0; i < INTRODUCTIONS && !others.isEmpty(); i++) {
      agent.befriend(town.pick(others));
    }
  }

  /** People go to the shops of their own district, where there are any. */
  private void chooseShops(Resident resident) {
    List<Shop> local = resident.cell.district.shops;
    for (int i = 0; i < SHOPS_VISITED; i++) {
      resident.becomeCustomerOf(town.pick(local.isEmpty() ? town.shops : local));
    }
  }
}
