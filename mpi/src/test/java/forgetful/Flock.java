package forgetful;

import dev.cairn.StateBuilder;
import dev.cairn.java.BlockingCheckpoints;
import dev.cairn.java.BlockingCommunicator;
import dev.cairn.java.BlockingRanks;
import dev.cairn.options.CheckpointOptions;
import dev.cairn.state.Codecs;
import dev.cairn.state.PerRankRule;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A program with a loop of its own, whose ranks are the processes of a launcher. It forgets three
 * pieces of its state, or nothing if it has an argument.
 */
public final class Flock {
  private static long lambs;

  private final boolean isForgetful;
  private final long[] eaten = new long[3];
  private long age;

  private Flock(boolean isForgetful) {
    this.isForgetful = isForgetful;
  }

  public static void main(String[] args) {
    BlockingRanks.everyRank(1, ranks -> new Flock(args.length == 0).run(ranks));
  }

  private void run(BlockingCommunicator ranks) {
    Path directory = Path.of(System.getenv("CAIRN_DIR"));
    CheckpointOptions options = CheckpointOptions.builder().build().configured();
    try (BlockingCheckpoints checkpoints =
        BlockingCheckpoints.open(ranks, directory, options, this::declare)) {
      long step = checkpoints.restore().map(found -> found.step()).orElse(0L);
      long days = isForgetful ? 0 : step;
      while (checkpoints.saveIfDue(step, 12)) {
        step++;
        days++;
        age += ranks.rank() + 1;
        eaten[(int) (step % 3)] += age;
        if (ranks.rank() == 1) {
          lambs++;
        }
      }
      System.out.println("days: " + days);
    }
  }

  private void declare(StateBuilder state) {
    state.perRank("age", Codecs.LONG, () -> age, it -> age = it, new PerRankRule.Drop<>());
    if (isForgetful) {
      return;
    }
    state.perRank("lambs", Codecs.LONG, () -> lambs, it -> lambs = it, new PerRankRule.Drop<>());
    state.perRank(
        "eaten",
        Codecs.listOf(Long.class),
        () -> Arrays.stream(eaten).boxed().toList(),
        this::setEaten,
        new PerRankRule.Drop<>());
  }

  private void setEaten(List<Long> restored) {
    Arrays.setAll(eaten, restored::get);
  }
}
