package dev.cairn.examples.chain;

/** Counts how often a kind of move was tried, and how often it was accepted. */
final class Rate {
  private int tried;
  private int accepted;

  void count(boolean wasAccepted) {
    tried++;
    accepted += wasAccepted ? 1 : 0;
  }

  /** The rate since this was last called. */
  double take() {
    double rate = tried == 0 ? 0 : (double) accepted / tried;
    tried = 0;
    accepted = 0;
    return rate;
  }
}
