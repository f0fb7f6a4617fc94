package dev.cairn.faces;

import dev.cairn.Columns;
import dev.cairn.DoubleField;
import dev.cairn.Field;
import dev.cairn.Output;
import dev.cairn.Variable;
import dev.cairn.event.ExitCode;
import dev.cairn.event.SaveOutcome.Saved;
import dev.cairn.grid.Decomposition;
import dev.cairn.grid.Halo;
import dev.cairn.grid.RandomStreams;
import dev.cairn.grid.Shape;
import dev.cairn.java.BlockingRanks;
import dev.cairn.java.BlockingSimulation;
import dev.cairn.options.CheckpointOptions;
import dev.cairn.options.SimulationOptions;
import dev.cairn.ranks.RankPlan;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.state.Codecs;
import dev.cairn.state.PerRankRule;
import dev.cairn.state.StreamCodec;
import dev.cairn.state.StreamRule;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The program of FaceInKotlin, line by line, in Java. */
public final class FaceInJava {
  /** Rows in arrays. */
  public static final class Dust extends Columns {
    final Variable<long[]> id;
    final Variable<double[]> mass;

    Dust(int rank) {
      id = column(new long[] {10L * rank, 10L * rank + 1}).named("id");
      mass = column(new double[] {rank, rank + 0.5}).named("mass");
    }
  }

  private FaceInJava() {}

  public static ExitCode run(
      Path directory, int rankCount, long until, List<String> heard, String... arguments) {
    SimulationOptions options =
        SimulationOptions.builder()
            .checkpoints(
                CheckpointOptions.builder()
                    .keepLast(3)
                    .limit(Duration.ofMinutes(1))
                    .listener(event -> heard.add("options: " + event.getClass().getSimpleName()))
                    .build())
            .directory(directory.resolve("face.cairn"))
            .rankCount(rankCount)
            .every(2)
            .build();
    return BlockingSimulation.run(
        "face", arguments, options, sim -> play(sim, directory, until, heard));
  }

  /** A program on ranks that a test has made. */
  public static List<ExitCode> sums(RankPlan plan, BlockStore files, Path log, String... options) {
    return BlockingRanks.call(
        plan,
        ranks ->
            BlockingSimulation.simulate(
                ranks,
                "sums",
                options,
                SimulationOptions.builder().every(3).build(),
                files,
                sim -> {
                  Variable<Long> sum = sim.replicated(0L).named("sum");
                  Output lines = sim.output(log).named("log").get();
                  for (long step : sim.steps(12)) {
                    sum.set(sum.get() + ranks.allReduce(ranks.rank() == 0 ? step : 0, Long::sum));
                    lines.line("step " + step + ": " + sum.get());
                  }
                }));
  }

  private static void play(BlockingSimulation sim, Path directory, long until, List<String> heard) {
    int rank = sim.rank();
    int size = sim.size();
    sim.listen(event -> heard.add("listen: " + event.getClass().getSimpleName()));
    DoubleField u = sim.doubles(8, 6, 1, (i, j) -> i + 0.5 * j).named("u").get();
    Field<long[]> cells =
        sim.field(
                long[].class,
                Decomposition.blocks(Shape.of(9, 7), size),
                Halo.of(1),
                within -> LongStream.range(0, within.cellCount()).map(at -> at * at).toArray())
            .named("cells")
            .get();
    Shape share = Shape.of(18 / size);
    Field<short[]> marks =
        sim.field(
                short[].class,
                Shape.of(36),
                List.of(
                    share.at(share.cellCount() * rank), share.at(18 + share.cellCount() * rank)))
            .named("marks")
            .get();
    Variable<Double> time = sim.replicated(0.0).named("time");
    Variable<Long> count = sim.replicated(0L).named("count");
    Variable<String> label = sim.replicated("at first", Codecs.of(String.class)).named("label");
    Variable<Long> own =
        sim.perRank(
                (long) rank,
                Codecs.of(Long.class),
                new PerRankRule.Merge<>(all -> all.stream().mapToLong(Long::longValue).sum()))
            .named("own");
    Variable<Double> heat = sim.accumulator(0.0, Double::sum).named("heat");
    Variable<Long> visits = sim.accumulatorOfLongs(0, Math::addExact).named("visits");
    Variable<List<Long>> seen =
        sim.<List<Long>>accumulator(List.of(), Codecs.listOf(Long.class), FaceInJava::joined)
            .named("seen");
    Dust dust =
        sim.table(
                new Dust(rank),
                rules -> {
                  rules.positionFree();
                  rules.uniqueIds("id");
                })
            .named("dust")
            .get();
    Variable<List<Grain>> grains =
        sim.rows(Grain.class, grainsOf(rank, size), rules -> rules.owner(Grain::owner))
            .named("grains");
    RandomStreams noise = sim.randomStreams(42).named("noise").get();
    ByteArrayOutputStream journal = new ByteArrayOutputStream();
    sim.stream(
        "journal",
        journal::writeTo,
        source -> journal.writeBytes(source.readAllBytes()),
        new StreamRule.Deal(
            sources -> {
              for (InputStream source : sources) {
                journal.writeBytes(source.readAllBytes());
              }
            }));
    StreamCodec<String> line =
        Codecs.textStream(
            (target, text) -> target.write(text),
            source -> {
              StringWriter text = new StringWriter();
              source.transferTo(text);
              return text.toString();
            });
    Variable<String> notes =
        sim.stream(
                "rank " + rank + "\n",
                line,
                new PerRankRule.Merge<>(parts -> String.join("", parts)))
            .named("notes");
    Output energies = sim.output(directory.resolve("energies.txt")).named("energies").get();

    for (long step : sim.steps(3, "warming up")) {
      time.set(time.get() + 0.5);
      journal.write((int) step);
      notes.set(notes.get() + "step " + step + "\n");
    }
    for (long step : sim.steps(until, "running")) {
      time.set(time.get() + 0.125);
      count.set(count.get() + step);
      label.set("after step " + step);
      own.set(own.get() + 1);
      heat.set(heat.get() + 0.25);
      visits.set(visits.get() + 1);
      seen.set(joined(seen.get(), List.of(step)));
      sim.ranks().exchangeHalo(u);
      u.update((i, j) -> 0.5 * (u.get(i - 1, j) + u.get(i + 1, j)) + 0.001 * time.get());
      cells.getBlocks().forEach(block -> addTo(block.getCells(), step));
      marks.getBlocks().forEach(block -> addTo(block.getCells()));
      double[] mass = dust.mass.get();
      for (int row = 0; row < mass.length; row++) {
        mass[row] += noise.uniform(dust.id.get()[row], step, 0);
      }
      long rows = sim.ranks().allReduce(grains.get().size(), Long::sum);
      long total = sim.ranks().allReduce(visits.get(), Long::sum);
      energies.line("step " + step + ": " + count.get() + ", " + rows + " grains, " + total);
    }
    if (rank == 0) {
      heard.add("last: " + sim.lastSave().map(last -> last instanceof Saved).orElse(false));
    }
  }

  private static List<Grain> grainsOf(int rank, int size) {
    return IntStream.range(0, Grain.COUNT)
        .mapToObj(id -> new Grain(id, id / (double) Grain.COUNT))
        .filter(grain -> grain.owner(size) == rank)
        .toList();
  }

  private static List<Long> joined(List<Long> one, List<Long> other) {
    List<Long> all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }

  private static void addTo(long[] cells, long step) {
    for (int at = 0; at < cells.length; at++) {
      cells[at] += step;
    }
  }

  private static void addTo(short[] cells) {
    for (int at = 0; at < cells.length; at++) {
      cells[at]++;
    }
  }

  /**
   * A later version of a program: an item, a column and a value have new names, and an item is
   * gone.
   */
  public static ExitCode runLater(Path directory, List<String> heard) {
    SimulationOptions options = SimulationOptions.builder().directory(directory).build();
    return BlockingSimulation.run(
        "later",
        new String[0],
        options,
        sim -> {
          Variable<Double> clock = sim.replicated(0.0).named("clock");
          sim.formerly("clock", "t", "time");
          sim.removed("gone");
          Variable<double[]> weight =
              sim.table(
                      new Weights(),
                      rules -> {
                        rules.positionFree();
                        rules.formerly("weight", "mass");
                        rules.removed("id");
                      })
                  .named("dust")
                  .get()
                  .weight;
          for (long step : sim.steps(3)) {
            heard.add("step " + step + ": " + clock.get() + ", " + weight.get()[0]);
          }
        });
  }

  private static final class Weights extends Columns {
    final Variable<double[]> weight = column(double[].class).named("weight");
  }
}
