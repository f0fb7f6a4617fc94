package dev.cairn.examples.flock;

import dev.cairn.java.BlockingSoloCheckpoints;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Consumer;

/** Birds that know each other, and land again and again. */
public final class Flock {
  // region model
  /** Friends know each other, so there are cycles. */
  static final class Bird {
    final String name;
    final List<Bird> friends = new ArrayList<>();
    transient Consumer<Bird> onLanding; // a lambda, which a restart sets again

    Bird(String name) {
      this.name = name;
    }
  }

  record Landing(long time, Bird bird) {}

  /** A class with a name, since a queue in a graph keeps its comparator. */
  static final class ByTime implements Comparator<Landing> {
    @Override
    public int compare(Landing one, Landing other) {
      return Long.compare(one.time(), other.time());
    }
  }

  private final List<Bird> birds = new ArrayList<>();
  private final PriorityQueue<Landing> landings = new PriorityQueue<>(new ByTime());
  private final Random random = new Random(1);
  private final double[][] ground = new double[8][8];
  private final PrintStream report; // stays outside
  // endregion

  private static Flock flock;

  private Flock(PrintStream report) {
    this.report = report;
    for (int i = 0; i < 20; i++) {
      Bird bird = new Bird("bird " + i);
      birds.forEach(it -> it.friends.add(bird));
      bird.friends.addAll(birds);
      birds.add(bird);
      landings.add(new Landing(random.nextInt(100), bird));
    }
    listen();
  }

  /** Sets what the graph leaves out. */
  private void listen() {
    for (Bird bird : birds) bird.onLanding = it -> report.println(it.name + " lands");
  }

  private void fly() {
    Landing next = landings.remove();
    Bird bird = next.bird();
    bird.onLanding.accept(bird);
    ground[random.nextInt(8)][random.nextInt(8)] += 1;
    Bird friend = bird.friends.get(random.nextInt(bird.friends.size()));
    landings.add(new Landing(next.time() + 1 + random.nextInt(100), friend));
  }

  /** Runs the model. */
  // region main
  public static void main(String[] args) {
    try (var checkpoints =
        BlockingSoloCheckpoints.open(
            Path.of("flock.cairn"),
            state -> {
              PrintStream report = state.output("report", Path.of("report.txt")).printStream();
              flock = new Flock(report);
              state.graph(
                  "flock", () -> flock, it -> flock = it, graph -> graph.outside("report", report));
              state.afterRestore(() -> flock.listen());
            })) {
      for (long step = checkpoints.restore(); checkpoints.saveIfDue(step, 500); step++) {
        flock.fly();
      }
    }
  }
  // endregion
}
