package dev.cairn.benchmarks;

import dev.cairn.grid.Box;
import dev.cairn.grid.Decomposition;
import dev.cairn.grid.Shape;
import dev.cairn.java.BlockingCheckpoints;
import dev.cairn.java.BlockingCommunicator;
import dev.cairn.java.BlockingRanks;
import dev.cairn.options.CheckpointOptions;
import dev.cairn.options.DataFiles;
import dev.cairn.options.Wait;
import dev.cairn.sion.ForcePolicy;
import dev.cairn.state.ElementType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Cairn's side of a contest with other libraries on a machine with many cores: ranks of one JVM
 * change an array and save it, again and again; then programs on another number of ranks restore
 * it. Options are the default ones, but nothing is forced. The others' programs save and restore as
 * many bytes, and are not here.
 */
@Command(
    name = "contest",
    mixinStandardHelpOptions = true,
    description = "Saves and restores an array, and prints the rates in GiB/s.")
public final class Contest implements Callable<Integer> {
  @Option(names = "--dir", required = true, description = "The store. It is not deleted.")
  private Path directory;

  @Option(names = "--ranks", defaultValue = "16", description = "That save (default: 16).")
  private int savers;

  @Option(names = "--restore-on", defaultValue = "12", description = "Ranks (default: 12).")
  private int restorers;

  @Option(names = "--rows", defaultValue = "64512", description = "Of the array.")
  private long rows;

  @Option(names = "--columns", defaultValue = "8192", description = "Of the array.")
  private long columns;

  @Option(names = "--rounds", defaultValue = "6", description = "Saves (default: 6).")
  private int rounds;

  @Option(names = "--files", description = "Physical files of a save (default: auto).")
  private Integer files;

  @Option(names = "--behind", description = "The program goes on when its state is copied.")
  private boolean behind;

  private Shape shape;

  Contest() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Contest()).execute(args));
  }

  @Override
  public Integer call() {
    shape = Shape.of(rows, columns);
    Times saves = new Times("save");
    Times commits = new Times("committed");
    BlockingRanks.run(
        savers,
        ranks -> {
          Share share = new Share(ranks, shape, columns);
          try (BlockingCheckpoints checkpoints = open(ranks, share)) {
            for (int round = 0; round < rounds; round++) {
              share.change(round);
              ranks.barrier();
              long begin = System.nanoTime();
              save(checkpoints, round);
              saves.add(ranks, begin);
              checkpoints.awaitSaves();
              commits.add(ranks, begin);
            }
          }
        });
    Times restores = new Times("restore");
    for (int round = 0; round < rounds; round++) {
      BlockingRanks.run(
          restorers,
          ranks -> {
            Share share = new Share(ranks, shape, columns);
            ranks.barrier();
            long begin = System.nanoTime();
            try (BlockingCheckpoints checkpoints = open(ranks, share)) {
              if (checkpoints.restore().isEmpty()) {
                throw new IllegalStateException(directory + " has no save");
              }
              restores.add(ranks, begin);
            }
            share.requireChanged(rounds - 1);
          });
    }
    List<Times> all = behind ? List.of(saves, commits, restores) : List.of(saves, restores);
    all.forEach(times -> System.out.println(times.inWords(rows * columns * Double.BYTES)));
    return 0;
  }

  private void save(BlockingCheckpoints checkpoints, long step) {
    if (behind) {
      checkpoints.saveAsync(step);
    } else {
      checkpoints.save(step);
    }
  }

  private BlockingCheckpoints open(BlockingCommunicator ranks, Share share) {
    return BlockingCheckpoints.open(
        ranks,
        directory,
        options(),
        state ->
            state.field(
                "u", shape, ElementType.DOUBLE, blocks -> blocks.block(share.box, share.cells)));
  }

  private CheckpointOptions options() {
    CheckpointOptions.Builder options = CheckpointOptions.builder().durability(ForcePolicy.NEVER);
    if (behind) {
      options.wait(Wait.COPIED).snapshotMemory(2 * rows * columns * Double.BYTES);
    }
    if (files != null) {
      options.files(DataFiles.count(files));
    }
    return options.build();
  }

  /**
   * The rows of one rank. Their cells depend on their places, so that a cell in another one is
   * noticed.
   */
  private static final class Share {
    final Box box;
    final double[] cells;
    private final long first;

    Share(BlockingCommunicator ranks, Shape shape, long columns) {
      box = Decomposition.rows(shape, ranks.size()).boxes(ranks.rank()).get(0);
      cells = new double[Math.toIntExact(box.cellCount())];
      first = box.start(0) * columns;
    }

    void change(int round) {
      Arrays.setAll(cells, index -> value(index, round));
    }

    void requireChanged(int round) {
      for (int index = 0; index < cells.length; index++) {
        if (cells[index] != value(index, round)) {
          throw new IllegalStateException("cell " + (first + index) + " is " + cells[index]);
        }
      }
    }

    private double value(int index, int round) {
      return Math.scalb((double) ((first + index) * 0x9E3779B97F4A7C15L + round), -63);
    }
  }

  /** How long all ranks took for a job, in seconds, as rank 0 measures it. */
  private static final class Times {
    private final String job;
    private final List<Double> seconds = new ArrayList<>();

    Times(String job) {
      this.job = job;
    }

    void add(BlockingCommunicator ranks, long begin) {
      ranks.barrier();
      if (ranks.rank() == 0) {
        seconds.add((System.nanoTime() - begin) / 1e9);
      }
    }

    String inWords(long byteCount) {
      double gibibytes = byteCount / (double) (1L << 30);
      double[] sorted = seconds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      return String.format(
          "%s: %.2f GiB/s, best %.2f; s %s",
          job, gibibytes / sorted[sorted.length / 2], gibibytes / sorted[0], seconds);
    }
  }
}
