package dev.cairn.examples.forgotten;

import static dev.cairn.examples.forgotten.Omission.unless;

import dev.cairn.SoloState;
import dev.cairn.java.BlockingSoloCheckpoints;
import dev.cairn.state.Codecs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Rain fills a chain of reservoirs, step by step of a quarter of an hour. The code keeps its state
 * in static arrays, as its ancestor in Fortran did, and reads its forcing from two files.
 */
public final class Reservoirs {
  private static final int COUNT = 12;

  enum Season {
    COLD,
    WARM
  }

  /** Water takes some steps from the last dam to the gauge. */
  static final class Channel {
    private final double[] lag = new double[7];
    private int head;

    double pass(double inflow) {
      double outflow = lag[head];
      lag[head] = inflow;
      head = (head + 1) % lag.length;
      return outflow;
    }
  }

  private static final double[] storage = new double[COUNT];
  private static double[][] soil = new double[COUNT][3];
  private static final double[] snow = new double[COUNT];
  private static final float[] silt = new float[COUNT];
  private static final Channel channel = new Channel();
  private static final Map<Integer, Double> ratings = new TreeMap<>(); // measured once, then kept
  private static Random gusts = new Random(11);
  private static Season season = Season.COLD;
  private static double spilled;
  private static int nextFlood = 1;
  private static int demandsRead;

  private Reservoirs() {}

  /** Takes the number of steps, and the folder of the files. */
  public static void main(String[] args) throws IOException {
    long until = Long.parseLong(args[0]);
    Path folder = Path.of(args[1]);
    writeForcing(folder);
    double[] monthly = new double[4];
    StringBuilder diary = new StringBuilder();
    try (RandomAccessFile gauge = new RandomAccessFile(folder.resolve("gauge.bin").toFile(), "rw");
        RandomAccessFile rain = new RandomAccessFile(folder.resolve("rain.bin").toFile(), "r");
        BufferedReader demands = Files.newBufferedReader(folder.resolve("demand.txt"));
        var checkpoints =
            BlockingSoloCheckpoints.open(
                folder.resolve("reservoirs.cairn"),
                state -> {
                  declare(state);
                  declareFiles(state, rain, demands, gauge);
                  unless("reservoirs.monthly", () -> state.array("monthly", () -> monthly));
                  unless(
                      "reservoirs.diary",
                      () ->
                          state.value(
                              "diary", Codecs.TEXT, diary::toString, it -> renew(diary, it)));
                })) {
      long step = checkpoints.restore();
      double hours = unless("reservoirs.hours", step * 0.25, 0.0);
      while (checkpoints.saveIfDue(step, until)) {
        demandsRead++;
        double demand = Double.parseDouble(demands.readLine());
        double outflow = channel.pass(advance(rain.readDouble(), demand));
        gauge.writeDouble(outflow);
        monthly[(int) (hours / 10) % monthly.length] += outflow;
        if (outflow > 9) {
          diary.append(String.format("flood %d after %s hours%n", nextFlood++, hours));
        }
        hours += 0.25;
        step++;
      }
      Files.writeString(folder.resolve("summary.txt"), diary + summary(monthly) + hours);
    }
  }

  private static void declare(SoloState state) {
    double[] firstSnow = snow.clone();
    unless("reservoirs.storage", () -> state.array("storage", () -> storage));
    unless(
        "reservoirs.soil",
        () -> state.value("soil", Codecs.of(double[][].class), () -> soil, it -> soil = it));
    state.value(
        "snow",
        Codecs.of(double[].class),
        unless("reservoirs.snow", () -> snow, () -> firstSnow),
        it -> System.arraycopy(it, 0, snow, 0, COUNT));
    state.value(
        "silt",
        Codecs.of(float[].class),
        () -> silt,
        unless(
            "reservoirs.silt",
            it -> System.arraycopy(it, 0, silt, 0, COUNT),
            it -> System.arraycopy(silt, 0, it, 0, COUNT)));
    unless("reservoirs.lag", () -> state.array("lag", () -> channel.lag));
    unless(
        "reservoirs.head",
        () -> state.value("head", Codecs.INT, () -> channel.head, it -> channel.head = it));
    unless(
        "reservoirs.ratings",
        () ->
            state.value(
                "ratings",
                Codecs.mapOf(Integer.class, Double.class),
                () -> ratings,
                it -> ratings.putAll(it)));
    unless("reservoirs.gusts", () -> state.generator("gusts", () -> gusts, it -> gusts = it));
    unless(
        "reservoirs.season",
        () -> state.value("season", Codecs.of(Season.class), () -> season, it -> season = it));
    unless(
        "reservoirs.spilled",
        () -> state.value("spilled", Codecs.DOUBLE, () -> spilled, it -> spilled = it));
    unless(
        "reservoirs.nextFlood",
        () -> state.value("nextFlood", Codecs.INT, () -> nextFlood, it -> nextFlood = it));
  }

  private static void declareFiles(
      SoloState state, RandomAccessFile rain, BufferedReader demands, RandomAccessFile gauge) {
    unless(
        "reservoirs.rain",
        () -> state.value("rain", Codecs.LONG, rain::getFilePointer, rain::seek));
    unless(
        "reservoirs.gauge",
        () -> state.value("gauge", Codecs.LONG, gauge::getFilePointer, gauge::seek));
    state.value("demandsRead", Codecs.INT, () -> demandsRead, it -> demandsRead = it);
    unless(
        "reservoirs.demands",
        () ->
            state.afterRestore(
                () -> {
                  for (int line = 0; line < demandsRead; line++) demands.readLine();
                }));
  }

  /** Returns what leaves the last reservoir. */
  private static double advance(double rainfall, double demand) {
    double inflow = 0;
    for (int i = 0; i < COUNT; i++) {
      double falls = rainfall * (1 + 0.2 * gusts.nextGaussian());
      double melts = season == Season.WARM ? 0.2 * snow[i] : 0;
      snow[i] += (season == Season.COLD ? falls / 2 : 0) - melts;
      storage[i] += inflow + soak(soil[i], falls + melts) - Math.min(demand, storage[i] / 4);
      silt[i] += 0.01f * (float) inflow;
      inflow = release(i);
    }
    season = snow[0] > 4 ? Season.WARM : snow[0] < 1 ? Season.COLD : season;
    return inflow;
  }

  /** Water sinks from layer to layer; returns what runs off below. */
  private static double soak(double[] layers, double water) {
    for (int layer = 0; layer < layers.length; layer++) {
      layers[layer] += water;
      water = 0.3 * layers[layer];
      layers[layer] -= water;
    }
    return water;
  }

  private static double release(int i) {
    double rating = ratings.computeIfAbsent((int) storage[i], it -> 0.2 / (1 + silt[i]));
    double released = rating * storage[i];
    double over = Math.max(0, storage[i] - released - 20);
    spilled += over;
    storage[i] -= released + over;
    return released + over;
  }

  private static String summary(double[] monthly) {
    return Arrays.toString(monthly) + Arrays.toString(storage) + spilled + season;
  }

  private static void renew(StringBuilder text, String content) {
    text.setLength(0);
    text.append(content);
  }

  /** Forcing for 400 steps. */
  private static void writeForcing(Path folder) throws IOException {
    Random weather = new Random(3);
    try (var rain = new RandomAccessFile(folder.resolve("rain.bin").toFile(), "rw")) {
      for (int step = 0; step < 400; step++) rain.writeDouble(2 * weather.nextDouble());
    }
    var demands = IntStream.range(0, 400).mapToObj(step -> "" + weather.nextDouble()).toList();
    Files.write(folder.resolve("demand.txt"), demands);
  }
}
