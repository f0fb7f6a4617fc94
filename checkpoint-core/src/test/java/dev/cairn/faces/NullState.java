package dev.cairn.faces;

import dev.cairn.StateBuilder;
import dev.cairn.grid.Shape;
import dev.cairn.state.Codecs;
import dev.cairn.state.ElementType;
import dev.cairn.state.PerRankRule;
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
        state.table("drops", Drop.class, () -> rows, found -> {}, rules -> rules.positionFree());
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
            "t",
            Codecs.serializableList(String.class),
            () -> null,
            texts -> {},
            new PerRankRule.Drop<>());
  }
}
