package dev.cairn.examples.parts;

import dev.cairn.StateBuilder;
import dev.cairn.grid.RandomStreams;
import dev.cairn.state.Codecs;
import dev.cairn.state.PerRankRule;
import dev.cairn.state.StreamCodec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringWriter;
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

  private static final StreamCodec<String> TEXT =
      Codecs.textStream((target, text) -> target.write(text), Galaxy::readAll);

  private final RandomStreams random = new RandomStreams(2024);
  private final StringBuilder journal = new StringBuilder();
  private List<Body> bodies = new ArrayList<>();
  private double[] stars = {};
  private int starCount;
  private double energy;

  /** Declares all of it; each rank does so for its own. */
  public void declare(StateBuilder state) {
    state.rows(
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
          columns.column("x", double[].class, () -> stars, restored -> stars = restored);
          columns.owner((star, rankCount) -> slice(star.getDouble("x"), rankCount));
        });
    state.accumulator(
        "energy", Codecs.DOUBLE, () -> energy, part -> energy = part, 0.0, Double::sum);
    state.randomStreams("random", random);
    state.stream(
        "journal",
        TEXT,
        journal::toString,
        restored -> journal.replace(0, journal.length(), restored),
        new PerRankRule.Merge<>(parts -> String.join("", parts)));
  }

  private static String readAll(BufferedReader source) throws IOException {
    StringWriter text = new StringWriter();
    source.transferTo(text);
    return text.toString();
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
