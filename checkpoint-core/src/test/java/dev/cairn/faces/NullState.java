package dev.cairn.faces;

import dev.cairn.StateBuilder;
import dev.cairn.grid.Shape;
import dev.cairn.state.Codec;
import dev.cairn.state.Codecs;
import dev.cairn.state.ElementType;
import dev.cairn.state.PerRankRule;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** State that is null somewhere, as only programs in Java can declare it. */
final class NullState {
  private static final Shape SHAPE = Shape.of(3);

  private NullState() {}

  record Drop(long id) {}

  static Consumer<StateBuilder> block() {
    return state ->
        state.field(
            "u", SHAPE, ElementType.DOUBLE, field -> field.block(SHAPE.box(), (double[]) null));
  }

  static Consumer<StateBuilder> suppliedBlock() {
    return state ->
        state.field("u", SHAPE, ElementType.DOUBLE, field -> field.block(SHAPE.box(), () -> null));
  }

  static Consumer<StateBuilder> ownFailure() {
    return state ->
        state.field(
            "u",
            SHAPE,
            ElementType.DOUBLE,
            field -> {
              throw new NullPointerException("of the program");
            });
  }

  static Consumer<StateBuilder> column() {
    return state ->
        state.table(
            "drops",
            table -> {
              table.column("id", long[].class, () -> null, ids -> {});
              table.positionFree();
            });
  }

  static Consumer<StateBuilder> records(List<Drop> rows) {
    return state ->
        state.rows("drops", Drop.class, () -> rows, found -> {}, rules -> rules.positionFree());
  }

  static Consumer<StateBuilder> record() {
    return records(Arrays.asList(new Drop(1), null));
  }

  static Consumer<StateBuilder> noRecords() {
    return records(null);
  }

  static Consumer<StateBuilder> replicatedText() {
    return state -> state.<String>replicated("t", Codecs.TEXT, () -> null, text -> {});
  }

  static Consumer<StateBuilder> replicatedLong() {
    return state -> state.<Long>replicated("t", Codecs.LONG, () -> null, value -> {});
  }

  static Consumer<StateBuilder> perRankValue() {
    return state ->
        state.perRank(
            "t", Codecs.listOf(String.class), () -> null, texts -> {}, new PerRankRule.Drop<>());
  }

  static Consumer<StateBuilder> variable() {
    return state -> state.replicated(1.5).named("t").set(null);
  }

  static Consumer<StateBuilder> accumulatorVariable() {
    return state -> state.accumulator(1.5, Double::sum).named("t").set(null);
  }

  /** A codec whose functions return nothing, but the format given. */
  record EmptyCodec(String format) implements Codec<String> {
    @Override
    public String getFormat() {
      return format;
    }

    @Override
    public byte[] encode(String value) {
      return null;
    }

    @Override
    public String decode(ByteBuffer bytes) {
      return null;
    }
  }

  static Consumer<StateBuilder> codec(String format) {
    return state -> state.replicated("t", new EmptyCodec(format), () -> "", text -> {});
  }
}
