package dev.cairn.examples.town.rows;

/** How rumours start and go from mouth to mouth. */
final class Gossip {
  private static final double TALKATIVENESS = 0.3;
  private static final double CALL_CHANCE = 0.3;
  private static final double BOREDOM = 0.4;
  private static final double PULL = 0.08;

  private final Town town;
  int started;

  Gossip(Town town) {
    this.town = town;
  }

  void start(Agent origin) {
    remember(origin, origin, new Rumour(++started, origin, town.random), true);
  }

  /** Each of the two may tell the other something. */
  void exchange(Agent one, Agent other) {
    offer(one, other);
    offer(other, one);
  }

  private void offer(Agent teller, Agent listener) {
    if (!teller.memory.tales.isEmpty() && town.random.nextDouble() < TALKATIVENESS) {
      tell(teller, listener, town.pick(teller.memory.tales).rumour());
    }
  }

  /** Those who know it already may spoil the teller's fun for good. */
  void tell(Agent teller, Agent listener, Rumour rumour) {
    listener.listen(rumour, town);
    double luck = town.random.nextDouble();
    if (listener.memory.hearings.stream().noneMatch(it -> it.rumour() == rumour)) {
      boolean believed = luck < rumour.credibility * listener.trustIn(teller);
      remember(listener, teller, rumour, believed);
    } else if (luck < BOREDOM) {
      teller.memory.tales.removeIf(tale -> tale.rumour() == rumour);
    }
  }

  private void remember(Agent agent, Agent teller, Rumour rumour, boolean believed) {
    agent.memory.add(new Memory.Hearing(rumour, teller, Clock.TOWN.now(), believed));
    rumour.reach++;
    if (!rumour.widespread && rumour.reach * 10L >= Registry.population()) {
      rumour.widespread = true;
      town.reports.writeRumour(rumour);
    }
    if (believed) {
      agent.changeOpinion(rumour.slant, PULL);
      if (agent.bestFriend != null && town.random.nextDouble() < CALL_CHANCE) {
        long call = Clock.TOWN.now() + 10 + town.random.nextInt(2 * Clock.HOUR);
        town.scheduler.add(call, new TellingEvent(agent, agent.bestFriend, rumour));
      }
    }
  }
}
