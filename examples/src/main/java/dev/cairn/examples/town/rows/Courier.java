package dev.cairn.examples.town.rows;

import java.util.Random;

/** Carries goods to the shops, one load after the other, and roams the town in between. */
final class Courier extends Agent {
  static final long FEE = 2_500;

  private long freeAt;

  Courier(Household household, Random random) {
    super(Kind.COURIER, household, 0, random);
  }

  /** Accepts a load and promises the time when it will be at the shop. */
  long accept(Shop shop) {
    freeAt = Math.max(Clock.TOWN.now(), freeAt) + 15 + 2 * cell.distanceTo(shop.cell);
    return freeAt;
  }

  @Override
  Cell destination(Town town) {
    return town.pick(cell.district.cells);
  }
}
