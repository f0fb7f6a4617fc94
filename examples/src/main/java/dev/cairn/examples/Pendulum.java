package dev.cairn.examples;

// region pendulum
import dev.cairn.java.BlockingSoloCheckpoints;
import java.nio.file.Path;

class Pendulum {
  public static void main(String[] args) {
    double[] u = {1, 0}; // the angle and its speed
    Path dir = Path.of("pendulum.cairn");
    try (var checkpoints = BlockingSoloCheckpoints.open(dir, state -> state.array("u", () -> u))) {
      for (long step = checkpoints.restore(); checkpoints.saveIfDue(step, 100_000); step++) {
        u[0] += 0.001 * (u[1] -= 0.001 * Math.sin(u[0]));
      }
      if (!checkpoints.isStopped()) System.out.println("the angle is " + u[0]);
    }
  }
}
// endregion
