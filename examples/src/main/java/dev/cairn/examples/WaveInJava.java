package dev.cairn.examples;

import dev.cairn.grid.Box;
import dev.cairn.grid.Decomposition;
import dev.cairn.grid.Shape;
import dev.cairn.java.BlockingCheckpoints;
import dev.cairn.java.BlockingCommunicator;
import dev.cairn.java.BlockingRanks;
import dev.cairn.state.Codecs;
import dev.cairn.state.ElementType;
import java.nio.file.Path;
import java.util.List;

/**
 * A code that existed before Cairn, with its own array and its own loop: points of a string that
 * swing up and down. A handful of lines give it restart.
 */
public final class WaveInJava {
  private static final Shape STRING = Shape.of(1000);
  private static final int RANK_COUNT = 4;
  private static final long LAST_STEP = 100;

  private final Box box;
  private final double[] height;
  private double time;

  private WaveInJava(BlockingCommunicator ranks) {
    List<Box> own = Decomposition.rows(STRING, ranks.size()).boxes(ranks.rank());
    this.box = own.isEmpty() ? Shape.of(0).box() : own.get(0);
    this.height = new double[(int) box.cellCount()];
  }

  // region every-rank
  /** Takes the directory of the checkpoints. Under a launcher each process is a rank. */
  public static void main(String[] args) {
    Path directory = Path.of(args.length > 0 ? args[0] : "wave.cairn");
    BlockingRanks.everyRank(
        RANK_COUNT,
        ranks -> System.out.println(new WaveInJava(ranks).run(ranks, directory, LAST_STEP)));
  }

  // endregion

  /** Runs up to a step and tells where each rank began. */
  static List<String> run(Path directory, int rankCount, long untilStep) {
    return BlockingRanks.call(
        rankCount, ranks -> new WaveInJava(ranks).run(ranks, directory, untilStep));
  }

  // region wave
  String run(BlockingCommunicator ranks, Path directory, long untilStep) {
    try (BlockingCheckpoints checkpoints =
        BlockingCheckpoints.open(
            ranks,
            directory,
            state -> {
              state.field(
                  "height", STRING, ElementType.DOUBLE, blocks -> blocks.block(box, height));
              state.replicated("time", Codecs.DOUBLE, () -> time, value -> time = value);
            })) {
      long first = checkpoints.restore().map(found -> found.step()).orElse(0L);
      for (long step = first; step < untilStep; step++) {
        swing(step);
        if ((step + 1) % 10 == 0) {
          checkpoints.save(step + 1);
        }
      }
      return String.format("rank %d began at step %d", ranks.rank(), first);
    }
  }

  // endregion

  private void swing(long step) {
    for (int point = 0; point < height.length; point++) {
      height[point] += Math.sin((box.start(0) + point) * 0.01 + step) * 0.1;
    }
    time += 0.1;
  }
}
