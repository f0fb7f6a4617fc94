package dev.cairn.examples.town.rows;

import java.util.List;

/** An agent goes somewhere, does its business there, and talks to somebody who stands nearby. */
record MeetingEvent(Agent agent) implements Event {
  private static final double FRIENDSHIP_CHANCE = 0.002;

  @Override
  public void happen(Town town) {
    if (agent.isInTown() && Clock.TOWN.isNight()) {
      agent.moveTo(agent.household.home);
      agent.tiredness = 0;
      town.wakeInTheMorning(agent);
    } else if (agent.isInTown()) {
      agent.moveTo(agent.destination(town));
      agent.act();
      List<Agent> neighbours = town.grid.neighbours(agent);
      if (!neighbours.isEmpty()) {
        talkTo(town.pick(neighbours), town);
      }
      int pause = 20 + town.random.nextInt(60) + ++agent.tiredness;
      town.scheduler.add(Clock.TOWN.now() + pause, this);
    }
  }

  private void talkTo(Agent partner, Town town) {
    agent.discussWith(partner);
    town.gossip.exchange(agent, partner);
    if (town.random.nextDouble() < FRIENDSHIP_CHANCE) {
      agent.befriend(partner);
      agent.chooseBestFriend();
    }
  }
}
