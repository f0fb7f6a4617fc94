package dev.cairn.examples.town.rows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Somebody who lives in the town. Opinions go from -1 (against the new bridge) to 1 (for it). */
abstract class Agent {
  private static final int MOST_FRIENDS = 25;
  private static final double TOLERANCE = 0.6;

  final int id = Registry.nextId();
  final Kind kind;
  final Household household;
  final List<Agent> friends = new ArrayList<>();
  final Memory memory = new Memory();
  private final long wage;
  private final double conviction;
  Agent bestFriend;
  Cell cell;
  double opinion;
  long money;
  int tiredness;

  /** The wage comes from out of town; those who earn their money in the town have none. */
  Agent(Kind kind, Household household, long wage, Random random) {
    this.kind = kind;
    this.household = household;
    this.wage = wage;
    conviction = 2 * random.nextDouble() - 1;
    opinion = conviction;
    money = random.nextInt(30_000);
  }

  /** The cell where the agent wants to be next. */
  abstract Cell destination(Town town);

  /** What the agent does where it stands, before it talks. */
  void act() {}

  /** Takes note of a rumour that somebody tells, be it new or not. */
  void listen(Rumour rumour, Town town) {}

  void endDay() {
    money += wage;
    changeOpinion(conviction, 0.2);
    memory.fade();
  }

  double trustIn(Agent teller) {
    boolean close = teller.household == household || friends.contains(teller);
    return close || teller.kind == Kind.REPORTER ? 0.8 : 0.4;
  }

  /** Stands in another cell; null takes the agent out of the town. */
  void moveTo(Cell target) {
    if (cell != null) {
      cell.agents.remove(this);
    }
    if (target != null) {
      target.agents.add(this);
    }
    cell = target;
  }

  boolean isInTown() {
    return cell != null;
  }

  /** Two who are not too far apart come a little closer to each other. */
  void discussWith(Agent other) {
    double mine = opinion;
    if (distanceTo(other) < TOLERANCE) {
      changeOpinion(other.opinion, 0.02);
      other.changeOpinion(mine, 0.02);
    }
  }

  void changeOpinion(double target, double pull) {
    opinion += pull * (target - opinion);
  }

  private double distanceTo(Agent other) {
    return Math.abs(opinion - other.opinion);
  }

  /** Friendship is mutual, and nobody has more friends than can be kept up with. */
  void befriend(Agent other) {
    boolean room = friends.size() < MOST_FRIENDS && other.friends.size() < MOST_FRIENDS;
    if (room && other != this && !friends.contains(other)) {
      friends.add(other);
      other.friends.add(this);
    }
  }

  /** The best friend is the one with the nearest opinion; this need not be mutual. */
  void chooseBestFriend() {
    bestFriend = friends.stream().min(Comparator.comparingDouble(this::distanceTo)).orElse(null);
  }

  /** Gives an amount away and returns it; a negative amount is received. */
  long pay(long amount) {
    money -= amount;
    return amount;
  }
}
