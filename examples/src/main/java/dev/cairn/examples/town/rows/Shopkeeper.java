package dev.cairn.examples.town.rows;

import java.util.Random;

/** Keeps a shop, stands in it while it is open, and hears what the customers have to tell. */
final class Shopkeeper extends Agent {
  private final Shop shop;

  Shopkeeper(Household household, Shop shop, Random random) {
    super(Kind.SHOPKEEPER, household, 0, random);
    this.shop = shop;
    shop.keeper = this;
  }

  @Override
  Cell destination(Town town) {
    return shop.open ? shop.cell : town.grid.step(cell, town.random);
  }
}
