package dev.cairn.examples.town.rows;

import java.util.ArrayList;
import java.util.List;

/** A shop with its stock and its till. It knows its customers, and they know it. */
final class Shop {
  static final int CAPACITY = 200;
  static final long PRICE = 1_200;
  private static final long WHOLESALE = 800;
  private static final long CASH_KEPT = 200_000;

  final Cell cell;
  final List<Resident> customers = new ArrayList<>();
  Shopkeeper keeper;
  int stock = CAPACITY;
  long till = CASH_KEPT;
  boolean open;

  /** A shop in an empty house somewhere in the town. */
  Shop(Town town) {
    cell = town.grid.randomCell(town.random);
    cell.district.shops.add(this);
    town.shops.add(this);
  }

  /** The keeper takes home for the night what the till need not hold. */
  void close() {
    open = false;
    till += keeper.pay(-Math.max(0, till - CASH_KEPT));
  }

  void sellTo(Resident customer) {
    if (open && stock > 0 && customer.money >= PRICE) {
      till += customer.pay(PRICE);
      stock--;
    }
  }

  /** Fills the shelves; the till always holds enough to pay for that. */
  void receiveFrom(Courier courier) {
    till += courier.pay(-Courier.FEE) - (CAPACITY - stock) * WHOLESALE;
    stock = CAPACITY;
  }
}
