package dev.cairn.examples.town.rows;

/** A courier arrives at a shop with goods, and has a word with the keeper. */
record DeliveryEvent(Courier courier, Shop shop) implements Event {
  @Override
  public void happen(Town town) {
    courier.moveTo(shop.cell);
    shop.receiveFrom(courier);
    town.gossip.exchange(courier, shop.keeper);
  }
}
