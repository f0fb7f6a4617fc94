package forgetful;

import dev.cairn.java.BlockingSoloCheckpoints;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

// region program
/** A program of one process, which declares nothing but its array {@code u}. */
public final class Forgetful {
  private static long calls;
  private final double[] u = {1, 0};
  private final long[] lastTwo = new long[2];

  /** Reads the weather of each step, and writes a sum. */
  public static void main(String[] args) throws IOException {
    new Forgetful().run(Path.of(args[0]));
  }

  private void run(Path file) throws IOException {
    double sum = 0;
    try (InputStream weather = Files.newInputStream(file);
        var checkpoints =
            BlockingSoloCheckpoints.open(Path.of("a.cairn"), it -> it.array("u", () -> u))) {
      for (long step = checkpoints.restore(); checkpoints.saveIfDue(step, 12); step++) {
        lastTwo[(int) (step % 2)] = step;
        u[0] += 0.1 * weather.read() + ++calls;
        sum += u[0];
      }
    }
    Files.writeString(Path.of("results.txt"), "sum " + sum);
  }
}
// endregion
