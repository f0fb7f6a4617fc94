package dev.cairn.examples.forgotten;

import static dev.cairn.examples.forgotten.Omission.unless;

import dev.cairn.SoloState;
import dev.cairn.java.BlockingSoloCheckpoints;
import dev.cairn.state.Codec;
import dev.cairn.state.Codecs;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Neutrons wander through the cells of a reactor; each worker thread follows its own ones. */
public final class Reactor {
  private static final int WORKERS = 3;
  private static final int CELLS = 16;

  private static final ThreadLocal<Random> DICE =
      ThreadLocal.withInitial(() -> new Random(Thread.currentThread().getName().hashCode()));
  private static final ThreadLocal<double[]> TALLY =
      ThreadLocal.withInitial(() -> new double[CELLS]);
  private static final ThreadLocal<ArrayDeque<Integer>> BANK = // where fissions have left neutrons
      ThreadLocal.withInitial(() -> new ArrayDeque<>(List.of(CELLS / 2)));
  private static final ThreadLocal<Long> NEXT_ID = ThreadLocal.withInitial(() -> 0L);
  private static final ThreadLocal<Double> WEIGHT = ThreadLocal.withInitial(() -> 1.0);

  /** The probabilities of fission that a worker has worked out, each at the heat of that moment. */
  private static final ThreadLocal<Map<Integer, Double>> SECTIONS =
      ThreadLocal.withInitial(TreeMap::new);

  private static double boron = 1;
  private static double hottest;
  private static int nextRise = 1;

  private final List<ExecutorService> workers = new ArrayList<>();
  private final double[] heat = new double[CELLS];
  private long[] burnt = new long[CELLS]; // a new one each cycle
  private final Map<Integer, Double> leakage = new TreeMap<>(); // by the rods, as first measured
  private PrintStream log = System.out;

  private Reactor() {
    for (int worker = 0; worker < WORKERS; worker++) {
      String name = "worker-" + worker;
      workers.add(Executors.newSingleThreadExecutor(task -> new Thread(task, name)));
    }
  }

  /** Takes the number of cycles, and the folder of the files. */
  public static void main(String[] args) throws Exception {
    long until = Long.parseLong(args[0]);
    Path folder = Path.of(args[1]);
    Reactor reactor = new Reactor();
    ArrayDeque<Double> recent = new ArrayDeque<>();
    double[] best = {0, -1}; // the steepest rise, and its cycle
    Map<Integer, Integer> histogram = new TreeMap<>();
    try (var checkpoints =
        BlockingSoloCheckpoints.open(
            folder.resolve("reactor.cairn"),
            state -> {
              reactor.declare(state, folder.resolve("reactor.log"));
              for (int worker = 0; worker < WORKERS; worker++) reactor.declare(state, worker);
              unless(
                  "reactor.recent",
                  () ->
                      state.value(
                          "recent",
                          Codecs.listOf(Double.class),
                          () -> List.copyOf(recent),
                          recent::addAll));
              unless("reactor.best", () -> state.array("best", () -> best));
              unless(
                  "reactor.histogram",
                  () ->
                      state.value(
                          "histogram",
                          Codecs.mapOf(Integer.class, Integer.class),
                          () -> histogram,
                          histogram::putAll));
            })) {
      long cycle = checkpoints.restore();
      double burnup = unless("reactor.burnup", cycle * 0.5, 0.0);
      int rods = unless("reactor.rods", 8 - (int) (cycle / 25), 8);
      long histories = unless("reactor.histories", 20 * WORKERS * cycle, 0L);
      while (checkpoints.saveIfDue(cycle, until)) {
        double power = reactor.run(rods, burnup);
        histories += 20 * WORKERS;
        recent.add(power);
        if (recent.size() > 10) recent.remove();
        histogram.merge((int) power, 1, Integer::sum);
        double mean = recent.stream().mapToDouble(it -> it).average().orElse(0);
        if (power > 1.01 * mean) reactor.log.println("rise " + nextRise++ + ": " + power / mean);
        if (power / mean > best[0]) {
          best[0] = power / mean;
          best[1] = cycle;
        }
        burnup += 0.5;
        cycle++;
        if (cycle % 25 == 0) rods--;
      }
      String results = Arrays.toString(best) + recent + histogram + histories;
      Files.writeString(folder.resolve("reactor.txt"), reactor.summary() + results);
    } finally {
      reactor.workers.forEach(ExecutorService::shutdown);
    }
  }

  private void declare(SoloState state, Path file) throws Exception {
    long[] first = burnt;
    Callable<PrintStream> opened =
        unless(
            "reactor.log",
            () -> state.output("log", file).printStream(),
            () -> new PrintStream(file.toFile()));
    log = opened.call();
    unless("reactor.heat", () -> state.array("heat", () -> heat));
    state.array("burnt", unless("reactor.burnt", () -> burnt, () -> first));
    unless(
        "reactor.leakage",
        () ->
            state.value(
                "leakage",
                Codecs.mapOf(Integer.class, Double.class),
                () -> leakage,
                leakage::putAll));
    unless(
        "reactor.boron", () -> state.value("boron", Codecs.DOUBLE, () -> boron, it -> boron = it));
    unless(
        "reactor.hottest",
        () -> state.value("hottest", Codecs.DOUBLE, () -> hottest, it -> hottest = it));
    unless(
        "reactor.nextRise",
        () -> state.value("nextRise", Codecs.INT, () -> nextRise, it -> nextRise = it));
  }

  /** Declares what is a worker's own. */
  private void declare(SoloState state, int worker) {
    String dice = "dice of " + worker;
    unless(
        "reactor.dice",
        () -> state.generator(dice, () -> on(worker, DICE::get), it -> set(worker, DICE, it)));
    state.value(
        "bank of " + worker,
        Codecs.listOf(Integer.class),
        () -> on(worker, () -> List.copyOf(BANK.get())),
        unless(
            "reactor.bank",
            it -> set(worker, BANK, new ArrayDeque<>(it)),
            it -> BANK.set(new ArrayDeque<>(it))));
    unless("reactor.tally", () -> keep(state, worker, "tally", Codecs.of(double[].class), TALLY));
    unless("reactor.nextId", () -> keep(state, worker, "nextId", Codecs.LONG, NEXT_ID));
    unless("reactor.weight", () -> keep(state, worker, "weight", Codecs.DOUBLE, WEIGHT));
    var sections = Codecs.mapOf(Integer.class, Double.class);
    unless("reactor.sections", () -> keep(state, worker, "sections", sections, SECTIONS));
  }

  private <T> void keep(
      SoloState state, int worker, String name, Codec<T> codec, ThreadLocal<T> local) {
    String item = name + " of " + worker;
    state.value(item, codec, () -> on(worker, local::get), it -> set(worker, local, it));
  }

  private <T> void set(int worker, ThreadLocal<T> local, T value) throws Exception {
    on(worker, Executors.callable(() -> local.set(value)));
  }

  private <T> T on(int worker, Callable<T> task) throws Exception {
    return workers.get(worker).submit(task).get();
  }

  /** One cycle; returns its power. */
  private double run(int rods, double burnup) throws Exception {
    double leak = leakage.computeIfAbsent(rods, it -> 0.02 * it * boron);
    burnt = burnt.clone();
    double power = 0;
    for (int worker = 0; worker < WORKERS; worker++) {
      double[] tally = on(worker, () -> follow(leak, burnup));
      for (int cell = 0; cell < CELLS; cell++) {
        heat[cell] = 0.9 * heat[cell] + 0.01 * tally[cell];
        burnt[cell] += Math.round(tally[cell]);
        hottest = Math.max(hottest, heat[cell] - 0.001 * burnt[cell]);
        power += heat[cell];
      }
    }
    boron *= 0.995 - 1e-5 * burnup;
    return power;
  }

  /** Follows 20 neutrons until each has leaked, or has made a fission; runs on a worker. */
  private double[] follow(double leak, double burnup) {
    Random dice = DICE.get();
    ArrayDeque<Integer> bank = BANK.get();
    double[] tally = TALLY.get();
    Arrays.setAll(tally, cell -> 0.95 * tally[cell]);
    for (int history = 0; history < 20; history++) {
      long id = NEXT_ID.get();
      NEXT_ID.set(id + 1);
      int cell = bank.isEmpty() ? (int) (id % CELLS) : bank.remove();
      while (dice.nextDouble() > leak) {
        cell = Math.floorMod(cell + (dice.nextBoolean() ? 1 : -1), CELLS);
        double warmth = heat[cell];
        double section =
            SECTIONS.get().computeIfAbsent(cell, it -> 0.3 / (1 + 0.1 * warmth + 0.01 * burnup));
        if (dice.nextDouble() < section) {
          tally[cell] += WEIGHT.get();
          if (bank.size() < 40) bank.add(cell);
          break;
        }
      }
    }
    WEIGHT.set(0.5 * WEIGHT.get() + 10.0 / (10 + bank.size()));
    return tally;
  }

  private String summary() {
    return Arrays.toString(heat) + Arrays.toString(burnt) + boron + " " + hottest;
  }
}
