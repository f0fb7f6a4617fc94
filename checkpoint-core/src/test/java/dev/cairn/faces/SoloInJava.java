package dev.cairn.faces;

import dev.cairn.event.ExitCode;
import dev.cairn.java.BlockingSoloCheckpoints;
import dev.cairn.options.CheckpointOptions;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.state.Codecs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program of one process with a loop of its own, whose arrays change places in each step. */
public final class SoloInJava {
  private double[] now = {1, 2, 3, 4, 5};
  private double[] before = new double[5];
  private int[] counts = new int[7];
  private long time;

  /** The names of the threads before and after each save. */
  public final List<String> threads = new ArrayList<>();

  /** Runs until step {@code n}, and fails in the step {@code failing}. */
  public ExitCode run(
      Path directory, CheckpointOptions options, BlockStore files, long n, long failing) {
    BlockingSoloCheckpoints checkpoints =
        BlockingSoloCheckpoints.open(
            directory,
            options,
            files,
            state -> {
              state.value("time", Codecs.LONG, () -> time, restored -> time = restored);
              state.array("now", () -> now);
              state.array("before", () -> before);
              state.array("counts", () -> counts);
              state.parameter("n", 5);
            });
    try (checkpoints) {
      for (long step = checkpoints.restore(); step < n; step++) {
        if (step == failing) {
          throw new IllegalStateException("no more fuel in step " + step);
        }
        advance(step);
        threads.add(Thread.currentThread().getName());
        if (!checkpoints.saveIfDue(step + 1, n)) {
          break;
        }
        threads.add(Thread.currentThread().getName());
      }
    }
    return checkpoints.exitCode();
  }

  private void advance(long step) {
    for (int i = 0; i < now.length; i++) {
      before[i] = now[i] * 0.5 + now[(i + 1) % now.length] * 0.25 + step;
    }
    double[] swapped = now;
    now = before;
    before = swapped;
    counts[(int) (step % counts.length)]++;
    time += step;
  }

  /** All of the state. */
  public String state() {
    return time
        + java.util.Arrays.toString(now)
        + java.util.Arrays.toString(before)
        + java.util.Arrays.toString(counts);
  }
}
