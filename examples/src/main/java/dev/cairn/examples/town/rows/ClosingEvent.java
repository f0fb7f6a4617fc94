package dev.cairn.examples.town.rows;

/** A shop closes until the next morning. */
record ClosingEvent(Shop shop) implements Event {
  @Override
  public void happen(Town town) {
    shop.close();
    int delay = Clock.HOUR + town.random.nextInt(Clock.HOUR);
    town.scheduler.add(Clock.TOWN.nextMorning() + delay, new OpeningEvent(shop));
  }
}
