package dev.cairn.faces;

import dev.cairn.StateBuilder;
import dev.cairn.grid.Decomposition;
import dev.cairn.grid.Halo;
import dev.cairn.grid.Shape;
import dev.cairn.state.Codecs;
import dev.cairn.state.ElementType;
import dev.cairn.state.PerRankRule;
import dev.cairn.state.StreamRule;
import dev.cairn.state.ThrowingConsumer;
import dev.cairn.state.ThrowingRunnable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Declares each kind of state by functions of the program that throw a checked exception. */
public final class ThrowingInJava {
  private ThrowingInJava() {}

  /**
   * Declarations of an item 'log', of which each getter calls {@code get} and each setter {@code
   * set}.
   */
  static Map<String, ThrowingConsumer<StateBuilder>> kinds(
      ThrowingRunnable get, ThrowingRunnable set) {
    Map<String, ThrowingConsumer<StateBuilder>> kinds = new LinkedHashMap<>();
    kinds.put(
        "replicated",
        state -> state.replicated("log", Codecs.LONG, () -> after(get, 1L), value -> set.run()));
    kinds.put(
        "perRank",
        state -> state.perRank("log", Codecs.LONG, () -> after(get, 1L), value -> set.run()));
    kinds.put(
        "perRank that is merged",
        state ->
            state.perRank(
                "log",
                Codecs.LONG,
                () -> after(get, 1L),
                value -> set.run(),
                new PerRankRule.Merge<>(parts -> after(set, 1L))));
    kinds.put(
        "accumulator",
        state ->
            state.accumulator(
                "log",
                Codecs.LONG,
                () -> after(get, 1L),
                value -> set.run(),
                0L,
                (one, other) -> after(set, one + other)));
    kinds.put(
        "generator",
        state -> state.generator("log", () -> after(get, new Random(1)), dice -> set.run()));
    kinds.put(
        "generator of the program's own",
        state ->
            state.generator(
                "log",
                "xorshift64",
                Codecs.of(long[].class),
                () -> after(get, new long[2]),
                words -> set.run()));
    kinds.put(
        "table of columns",
        state ->
            state.table(
                "log",
                columns -> {
                  columns.rows(() -> after(get, 2), count -> set.run());
                  columns.owner((row, rankCount) -> after(set, 0));
                  columns.column("id", long[].class, () -> new long[2], array -> set.run());
                }));
    kinds.put(
        "table of records",
        state ->
            state.rows(
                "log",
                Grain.class,
                () -> after(get, List.of(new Grain(1, 0.5))),
                rows -> set.run(),
                rules -> rules.owner((grain, rankCount) -> after(set, 0))));
    kinds.put(
        "stream of a codec",
        state ->
            state.stream(
                "log",
                Codecs.dataStream((out, value) -> out.writeLong(value), in -> in.readLong()),
                () -> after(get, 1L),
                value -> set.run()));
    kinds.put(
        "stream",
        state ->
            state.stream(
                "log",
                out -> get.run(),
                in -> set.run(),
                new StreamRule.Deal(sources -> set.run())));
    return kinds;
  }

  /** Whatever else takes functions of the program: that this compiles is the test. */
  static void compiles(StateBuilder state) throws Exception {
    state.field(
        "u",
        Shape.of(2),
        ElementType.LONG,
        field -> field.block(Shape.of(2).box(), () -> read(new long[2])));
    state
        .field(
            double[].class,
            Decomposition.rows(Shape.of(4), 1),
            Halo.NONE,
            box -> read(new double[4]))
        .named("v");
    state.doubles(4, 4, 0, (i, j) -> read(0.5)).named("w");
    state.doubles(Decomposition.rows(Shape.of(4), 1), 0, cell -> read(0.5)).named("x");
    state.accumulator(0L, Codecs.LONG, (one, other) -> read(one + other)).named("sum");
    state.appendedFile("log", Path.of("log"), () -> read(0));
    state
        .netcdf(
            Path.of("u.nc"),
            file -> {
              file.variable("time", () -> read(0.5));
              file.table(
                  "dust",
                  1,
                  () -> read(List.of(1L)),
                  id -> read(id),
                  dust -> dust.variable("m", it -> read(0.5)));
            })
        .named("file");
    state.generator(new Random(7)).named("dice").set(new Random(8));
    state.generator("coin", () -> read(new Random(1)), coin -> read(coin), 42L);
    state.generators("workers", new ConcurrentHashMap<>());
    state.witness("time", () -> read("noon"));
    state.beforeSave(() -> read(0));
    state.afterRestore(() -> read(0));
  }

  private static <T> T after(ThrowingRunnable function, T value) throws Exception {
    function.run();
    return value;
  }

  private static <T> T read(T value) throws IOException {
    return value;
  }
}
