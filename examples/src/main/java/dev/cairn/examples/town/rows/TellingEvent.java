package dev.cairn.examples.town.rows;

/** Word of a rumour reaches somebody from afar: by telephone or in the newspaper. */
record TellingEvent(Agent teller, Agent listener, Rumour rumour) implements Event {
  @Override
  public void happen(Town town) {
    if (teller.isInTown() && listener.isInTown()) {
      town.gossip.tell(teller, listener, rumour);
    }
  }
}
