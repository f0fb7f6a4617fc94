package dev.cairn.examples.town.rows;

/** Something that happens in the town, and may make other things happen later. */
interface Event {
  /** Lets the event happen; the clock already shows its time. */
  void happen(Town town);

  /** Of two events at the same time, the one with the lower number comes first. */
  default int priority() {
    return 1;
  }
}
