package dev.cairn.examples;

import dev.cairn.java.BlockingSoloCheckpoints;
import dev.cairn.options.CheckpointOptions;
import dev.cairn.state.Codecs;
import java.nio.file.Path;

/** Langton's ant, as a command whose exit code says how it ended: 75 if steps are left. */
public final class Ant {
  private static final int SIZE = 256;
  private static final boolean[] BLACK = new boolean[SIZE * SIZE];
  private static int place = SIZE * SIZE / 2 + SIZE / 2;
  private static int direction;

  private Ant() {}

  // region ant
  public static void main(String[] args) {
    long until = Long.parseLong(args[0]);
    BlockingSoloCheckpoints.main(
        Path.of("ant.cairn"),
        CheckpointOptions.builder().every(1_000).build(),
        state -> {
          state.parameter("size", SIZE);
          state.array("black", () -> BLACK);
          state.value("place", Codecs.INT, () -> place, restored -> place = restored);
          state.value("direction", Codecs.INT, () -> direction, restored -> direction = restored);
        },
        checkpoints -> {
          for (long step = checkpoints.restore(); checkpoints.saveIfDue(step, until); step++) {
            move();
          }
        });
    System.out.println("the ant is at " + place); // after a stop the process has ended with 75
  }

  // endregion

  private static void move() {
    direction = (direction + (BLACK[place] ? 3 : 1)) % 4;
    BLACK[place] = !BLACK[place];
    int step = direction % 2 == 0 ? SIZE : 1;
    place = Math.floorMod(place + (direction < 2 ? -step : step), BLACK.length);
  }
}
