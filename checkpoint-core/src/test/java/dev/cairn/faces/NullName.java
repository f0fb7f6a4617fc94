package dev.cairn.faces;

import dev.cairn.java.BlockingSimulation;

/** A program in Java that passes null where Kotlin could not. */
final class NullName {
  private NullName() {}

  @SuppressWarnings("NullAway")
  static void declare(BlockingSimulation simulation) {
    simulation.replicated(0.0).named(null);
  }
}
