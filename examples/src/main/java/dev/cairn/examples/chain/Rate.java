package dev.cairn.examples.chain;

import dev.cairn.SoloState;
import dev.cairn.state.Codecs;

/** Counts how often a kind of move was tried, and how often it was accepted. */
final class Rate {
  private int tried;
  private int accepted;

  void declare(SoloState state, String name) {
    state.value(name + ".tried", Codecs.INT, () -> tried, it -> tried = it);
    state.value(name + ".accepted", Codecs.INT, () -> accepted, it -> accepted = it);
  }

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
