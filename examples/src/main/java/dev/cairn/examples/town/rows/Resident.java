package dev.cairn.examples.town.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Somebody who works out of town; children have no wage and live on the household's purse. */
final class Resident extends Agent {
  private final List<Shop> shops = new ArrayList<>();

  Resident(Household household, long wage, Random random) {
    super(Kind.RESIDENT, household, wage, random);
  }

  void becomeCustomerOf(Shop shop) {
    if (!shops.contains(shop)) {
      shops.add(shop);
      shop.customers.add(this);
    }
  }

  @Override
  Cell destination(Town town) {
    double wish = town.random.nextDouble();
    if (wish < 0.2 && bestFriend != null) {
      return bestFriend.cell;
    }
    if (wish < 0.4 && money >= Shop.PRICE && !shops.isEmpty()) {
      return town.pick(shops).cell;
    }
    return wish < 0.55 ? household.home : town.grid.step(cell, town.random);
  }

  @Override
  void act() {
    shops.stream().filter(shop -> shop.cell == cell).forEach(shop -> shop.sellTo(this));
  }

  /** Takes leave of the friends and the shops. */
  void sayGoodbye() {
    for (Agent friend : friends) {
      friend.friends.remove(this);
      friend.chooseBestFriend();
    }
    shops.forEach(shop -> shop.customers.remove(this));
  }
}
