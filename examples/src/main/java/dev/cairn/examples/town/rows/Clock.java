package dev.cairn.examples.town.rows;

/** The clock of the town, in minutes since the first midnight. There is one clock for all. */
final class Clock {
  static final int HOUR = 60;
  static final int DAY = 24 * HOUR;
  static final Clock TOWN = new Clock();
  private static final int MORNING = 6 * HOUR;
  private static final int BEDTIME = 22 * HOUR;

  private long now;

  private Clock() {}

  void advanceTo(long time) {
    if (time < now) {
      throw new IllegalArgumentException("The clock cannot go back from " + now + " to " + time);
    }
    now = time;
  }

  long now() {
    return now;
  }

  int day() {
    return (int) (now / DAY);
  }

  boolean isNight() {
    return now % DAY < MORNING || now % DAY >= BEDTIME;
  }

  long nextMorning() {
    return (now + DAY - MORNING) / DAY * DAY + MORNING;
  }
}
