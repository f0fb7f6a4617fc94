package dev.cairn.examples.town.rows;

/** Somebody starts a new rumour; another rumour will follow. */
record RumourEvent() implements Event {
  @Override
  public void happen(Town town) {
    town.gossip.start(town.pick(Registry.everyone()));
    town.scheduler.add(town.timeOfNext("rumours"), this);
  }
}
