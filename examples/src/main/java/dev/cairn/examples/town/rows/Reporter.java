package dev.cairn.examples.town.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Listens around; prints a true rumour that enough people have told, and denies a false one. */
final class Reporter extends Agent {
  private static final int ENOUGH_TELLINGS = 5;
  private static final long FEE = 6_000;

  final List<Agent> subscribers = new ArrayList<>();
  private final List<Rumour> tellings = new ArrayList<>();

  Reporter(Household household, Random random) {
    super(Kind.REPORTER, household, 0, random);
  }

  @Override
  void listen(Rumour rumour, Town town) {
    tellings.add(rumour);
    if (tellings.stream().filter(it -> it == rumour).count() != ENOUGH_TELLINGS) {
      return;
    }
    money += FEE;
    if (!rumour.isTrue) {
      rumour.credibility /= 2;
      return;
    }
    for (Agent subscriber : subscribers) {
      long breakfast = Clock.TOWN.nextMorning() + town.random.nextInt(3 * Clock.HOUR);
      town.scheduler.add(breakfast, new TellingEvent(this, subscriber, rumour));
    }
  }

  @Override
  Cell destination(Town town) {
    boolean visit = bestFriend != null && town.random.nextBoolean();
    return visit ? town.pick(friends).cell : town.grid.step(cell, town.random);
  }
}
