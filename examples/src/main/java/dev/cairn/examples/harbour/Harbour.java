package dev.cairn.examples.harbour;

import dev.cairn.java.BlockingSoloCheckpoints;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/** Ships that come and go: rows that lead to each other, and a queue of events in its order. */
public final class Harbour {
  // region model
  /** A ship at sea has no berth. */
  static final class Ship {
    final int id;
    final List<Ship> convoy = new ArrayList<>();
    double cargo;
    Berth berth;
    transient String label; // made anew after a restart

    Ship(int id) {
      this.id = id;
    }
  }

  static final class Berth {
    Ship last;
    long visits;
  }

  enum Kind {
    ARRIVES,
    LEAVES
  }

  static final class Call {
    final long time;
    final int priority;
    final Ship ship;
    final Kind kind;

    Call(long time, int priority, Ship ship, Kind kind) {
      this.time = time;
      this.priority = priority;
      this.ship = ship;
      this.kind = kind;
    }
  }

  // endregion

  private static final Comparator<Call> ORDER =
      Comparator.<Call>comparingLong(it -> it.time).thenComparingInt(it -> it.priority);

  private List<Ship> ships = new ArrayList<>();
  private List<Berth> berths = new ArrayList<>();
  private final PriorityQueue<Call> calls = new PriorityQueue<>(ORDER);
  private Random random = new Random(1);
  private PrintStream report;

  private Harbour() {
    for (int i = 0; i < 3; i++) berths.add(new Berth());
    for (int i = 0; i < 20; i++) {
      Ship ship = new Ship(i);
      ship.convoy.addAll(ships.subList(i / 2, i));
      ships.add(ship);
      calls.add(new Call(random.nextInt(5), 0, ship, Kind.ARRIVES));
    }
    label();
  }

  private void label() {
    for (Ship ship : ships) ship.label = "ship " + ship.id;
  }

  /** Many calls have the same time and priority. */
  private void next() {
    Call call = calls.remove();
    Ship ship = call.ship;
    report.println(call.time + " " + ship.label + " " + call.kind);
    if (call.kind == Kind.ARRIVES) {
      ship.berth = berths.get(random.nextInt(berths.size()));
      ship.berth.visits++;
      ship.cargo += random.nextGaussian();
      calls.add(new Call(call.time + 1 + random.nextInt(2), 1, ship, Kind.LEAVES));
    } else {
      ship.berth.last = ship;
      ship.berth = null;
      for (Ship other : ship.convoy) other.cargo += ship.cargo / 100;
      calls.add(new Call(call.time + 2 + random.nextInt(3), 0, ship, Kind.ARRIVES));
    }
  }

  /** Runs the model. */
  // region main
  public static void main(String[] args) {
    Harbour harbour = new Harbour();
    try (var checkpoints =
        BlockingSoloCheckpoints.open(
            Path.of("harbour.cairn"),
            state -> {
              state.rows("ships", Ship.class, () -> harbour.ships, it -> harbour.ships = it);
              state.rows("berths", Berth.class, () -> harbour.berths, it -> harbour.berths = it);
              state.rows("calls", Call.class, () -> new ArrayList<>(harbour.calls), harbour::take);
              state.generator("random", () -> harbour.random, it -> harbour.random = it);
              harbour.report = state.output("report", Path.of("harbour.txt")).printStream();
              state.afterRestore(harbour::label);
            })) {
      for (long step = checkpoints.restore(); checkpoints.saveIfDue(step, 500); step++) {
        harbour.next();
      }
    }
  }

  /** A queue that gets its calls in the order in which it had them has the same order again. */
  private void take(List<Call> restored) {
    calls.clear();
    calls.addAll(restored);
  }
  // endregion
}
