package dev.cairn.sion.stripe;

/** How close a rank is to the process that writes a sub-file. */
public enum Closeness {
  /** Farther away than any other constant says. */
  REMOTE(0),
  /** On another node of the same group: a switch, for instance. */
  SAME_GROUP(1),
  /** In another process of the same node. */
  SAME_NODE(2),
  /** The rank itself writes the sub-file. */
  SAME_PROCESS(3);

  private final int weight;

  Closeness(int weight) {
    this.weight = weight;
  }

  /** What a byte counts in the choice of a sub-file. */
  int weight() {
    return weight;
  }
}
