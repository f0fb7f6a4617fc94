package dev.cairn.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.StateBuilder;
import dev.cairn.codec.Codecs;
import dev.cairn.random.RandomStreams;
import dev.cairn.state.StreamRule;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The state of a particle code in Java. Bodies are records, each a row of a table, and stars are
 * rows whose columns are arrays; both belong to the rank in whose slice of the x-axis, from 0 until
 * 1, they are. The ranks' parts of the released energy add up.
 */
public final class Galaxy {
  /** A body with a name of its own. */
  public record Body(long id, double x, boolean isDark) {}

  private final RandomStreams random = new RandomStreams(2024);
  private final StringBuilder journal = new StringBuilder();
  private List<Body> bodies = new ArrayList<>();
  private double[] stars = {};
  private int starCount;
  private double energy;

  /** Declares all of it; each rank does so for its own. */
  public void declare(StateBuilder state) {
    state.table(
        "bodies",
        Body.class,
        () -> bodies,
        restored -> bodies = new ArrayList<>(restored),
        rules -> {
          rules.uniqueIds("id");
          rules.owner((body, rankCount) -> slice(body.x(), rankCount));
        });
    state.table(
        "stars",
        columns -> {
          columns.rows(() -> starCount, count -> starCount = count);
          columns.doubles("x", () -> stars, restored -> stars = restored);
          columns.owner((star, rankCount) -> slice(star.getDouble("x"), rankCount));
        });
    state.accumulator(
        "energy", Codecs.DOUBLE, () -> energy, part -> energy = part, 0.0, Double::sum);
    state.randomStreams("random", random);
    state.stream(
        "journal",
        target -> target.write(journal.toString().getBytes(UTF_8)),
        source -> take(List.of(source)),
        new StreamRule.Deal(this::take));
  }

  private void take(List<? extends InputStream> sources) throws IOException {
    journal.setLength(0);
    for (InputStream source : sources) {
      journal.append(new String(source.readAllBytes(), UTF_8));
    }
  }

  private static int slice(double x, int rankCount) {
    return (int) (x * rankCount);
  }

  /** Fills this rank's share: {@code count} bodies and stars in its slice. */
  public void begin(int rank, int rankCount, int count) {
    for (int number = 0; number < count; number++) {
      long id = (long) rank * count + number;
      bodies.add(new Body(id, (rank + random.uniform(id, 0, 0)) / rankCount, id % 3 == 0));
    }
    stars = bodies.stream().mapToDouble(Body::x).toArray();
    starCount = stars.length;
    energy = rank;
    journal.append("rank ").append(rank).append(" began\n");
  }

  public List<Body> bodies() {
    return List.copyOf(bodies);
  }

  /** Where the stars are. */
  public double[] stars() {
    return Arrays.copyOf(stars, starCount);
  }

  public double energy() {
    return energy;
  }

  public String journal() {
    return journal.toString();
  }
}
