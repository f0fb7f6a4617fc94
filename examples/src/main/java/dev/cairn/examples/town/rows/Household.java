package dev.cairn.examples.town.rows;

import java.util.ArrayList;
import java.util.List;

/** People who live under one roof and share a purse. Money is counted in cents. */
final class Household {
  private static final long RENT = 2_000;
  private static final long POCKET_MONEY = 1_500;

  final Cell home;
  final List<Agent> members = new ArrayList<>();
  long purse;

  /** A household in an empty flat somewhere in the town. */
  Household(Town town) {
    home = town.grid.randomCell(town.random);
    town.households.add(this);
  }

  /** Every night each member pays a share in, costs go out, and the poor draw from the rest. */
  void settle() {
    for (Agent member : members) {
      purse += member.pay(member.money / 5);
    }
    purse -= Math.min(purse, RENT + purse / 5);
    for (Agent member : members) {
      if (member.money < POCKET_MONEY && purse >= POCKET_MONEY) {
        purse += member.pay(-POCKET_MONEY);
      }
    }
  }
}
