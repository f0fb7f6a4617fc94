package dev.cairn.examples.parts;

import dev.cairn.event.CheckpointEvent.Restored;
import dev.cairn.java.BlockingCheckpoints;
import dev.cairn.java.BlockingCommunicator;
import dev.cairn.state.Codecs;
import java.nio.file.Path;

/** A loop of its own that goes on while its saves are written. */
public final class SavingOftenInJava {
  private long sum;

  private SavingOftenInJava() {}

  /** Collective: adds up the numbers to 100. */
  public static void walk(BlockingCommunicator ranks, Path directory) {
    new SavingOftenInJava().run(ranks, directory);
  }

  // region loop
  private void run(BlockingCommunicator ranks, Path directory) {
    try (var checkpoints =
        BlockingCheckpoints.open(
            ranks,
            directory,
            state -> state.replicated("sum", Codecs.LONG, () -> sum, it -> sum = it))) {
      long first = checkpoints.restore().map(Restored::step).orElse(0L);
      for (long step = first + 1; step <= 100; step++) {
        sum += step;
        if (step % 10 == 0) {
          checkpoints.saveAsync(step); // returns when the state is copied
        }
        checkpoints.progress(); // lets the save go on, and waits for none
      }
      checkpoints.awaitSaves(); // waits until the last save is committed
    }
  }
  // endregion
}
