package dev.cairn.examples.town.rows;

/** A shop opens; when its shelves are half empty, the keeper calls a courier. */
record OpeningEvent(Shop shop) implements Event {
  /** Nobody stands before a closed door at opening time. */
  @Override
  public int priority() {
    return 0;
  }

  @Override
  public void happen(Town town) {
    shop.open = true;
    shop.keeper.moveTo(shop.cell);
    if (shop.stock < Shop.CAPACITY / 2) {
      Courier courier = (Courier) town.pick(Registry.ofKind(Kind.COURIER));
      town.scheduler.add(courier.accept(shop), new DeliveryEvent(courier, shop));
    }
    int hours = 8 + town.random.nextInt(4);
    town.scheduler.add(Clock.TOWN.now() + hours * Clock.HOUR, new ClosingEvent(shop));
  }
}
