package forgetful;

import dev.cairn.SoloState;
import dev.cairn.java.BlockingSoloCheckpoints;
import dev.cairn.state.Codecs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * As {@link Forgetful}, but it declares all of its state; without what its further arguments name.
 */
public final class Mindful {
  private static long calls;

  private final double[] u = {1, 0};
  private final long[] lastTwo = new long[2];
  private double sum;
  private String news = "";
  private long passed;

  private final List<String> forgotten;

  private Mindful(List<String> forgotten) {
    this.forgotten = forgotten;
  }

  /** Reads the weather of each step, and writes a sum. */
  public static void main(String[] args) throws IOException {
    new Mindful(List.of(args)).run(Path.of(args[0]));
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
        news += (char) ('a' + calls);
        passed++;
      }
    }
    Files.writeString(Path.of("results.txt"), "sum " + sum + news);
  }

  private void declare(SoloState state) {
    unless("u", () -> state.array("u", () -> u));
    unless("lastTwo", () -> state.array("lastTwo", () -> lastTwo));
    unless("sum", () -> state.value("sum", Codecs.DOUBLE, () -> sum, it -> sum = it));
    unless("calls", () -> state.value("calls", Codecs.LONG, () -> calls, it -> calls = it));
    unless("news", () -> state.value("news", Codecs.TEXT, () -> news, it -> news = it));
    unless("passed", () -> state.value("passed", Codecs.LONG, () -> passed, it -> passed = it));
  }

  private void unless(String piece, Runnable declaration) {
    if (!forgotten.contains(piece)) {
      declaration.run();
    }
  }
}
