package dev.cairn.examples.town.rows;

import java.util.Random;

/** Something that people say. Its slant pulls opinions, and its credibility sells it. */
final class Rumour {
  private static final long LIFETIME = 14L * Clock.DAY;

  final int id;
  final int originId;
  final long start = Clock.TOWN.now();
  final double slant;
  final boolean isTrue;
  double credibility;

  /** The number of people in the town who have heard it. */
  int reach;

  /** Whether it has ever come to a tenth of the town. */
  boolean widespread;

  Rumour(int id, Agent origin, Random random) {
    this.id = id;
    originId = origin.id;
    slant = 2 * random.nextDouble() - 1;
    isTrue = random.nextBoolean();
    credibility = 0.8 * random.nextDouble();
  }

  /** After its lifetime nobody passes a rumour on any more, and everybody may forget it. */
  boolean isStale() {
    return Clock.TOWN.now() - start > LIFETIME;
  }
}
