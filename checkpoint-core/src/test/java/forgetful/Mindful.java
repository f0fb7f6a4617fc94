package forgetful;

import dev.cairn.SoloState;
import dev.cairn.java.BlockingSoloCheckpoints;
import dev.cairn.state.Codecs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** As {@link Forgetful}, but it declares all of its state. */
public final class Mindful {
  private static long calls;

  private final double[] u = {1, 0};
  private final long[] lastTwo = new long[2];
  private double sum;

  /** Reads the weather of each step, and writes a sum. */
  public static void main(String[] args) throws IOException {
    new Mindful().run(Path.of(args[0]));
  }

  private void run(Path file) throws IOException {
    try (InputStream weather = Files.newInputStream(file);
        var checkpoints = BlockingSoloCheckpoints.open(Path.of("a.cairn"), this::declare)) {
      long step = checkpoints.restore();
      weather.skipNBytes(step);
      for (; checkpoints.saveIfDue(step, 12); step++) {
        lastTwo[(int) (step % 2)] = step;
        u[0] += 0.1 * weather.read() + ++calls;
        sum += u[0];
      }
    }
    Files.writeString(Path.of("results.txt"), "sum " + sum);
  }

  private void declare(SoloState state) {
    state.array("u", () -> u);
    state.array("lastTwo", () -> lastTwo);
    state.value("sum", Codecs.DOUBLE, () -> sum, it -> sum = it);
    state.value("calls", Codecs.LONG, () -> calls, it -> calls = it);
  }
}
