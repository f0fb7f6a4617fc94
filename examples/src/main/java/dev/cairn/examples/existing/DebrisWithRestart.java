package dev.cairn.examples.existing;

import dev.cairn.grid.Box;
import dev.cairn.grid.Decomposition;
import dev.cairn.grid.Shape;
import dev.cairn.java.BlockingCheckpoints;
import dev.cairn.java.BlockingCommunicator;
import dev.cairn.java.BlockingRanks;
import dev.cairn.state.ElementType;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.hipparchus.ode.ODEState;
import org.hipparchus.ode.OrdinaryDifferentialEquation;
import org.hipparchus.ode.nonstiff.DormandPrince853Integrator;

/**
 * The same code after Cairn has come: it survives {@code kill -9}, and each of its ranks has a
 * share of the pieces.
 */
public final class DebrisWithRestart {
  private static final int PIECE_COUNT = 60;

  /** Of a piece: where it is, x and y in km, and how fast, in km/s. */
  private static final int NUMBERS = 4;

  private static final double EARTH_RADIUS = 6371;
  private static final double DAY = 86_400;

  private final BlockingCommunicator ranks;
  private final Box own;
  private final double[] pieces;
  private Writer lines = Writer.nullWriter();

  /** Takes the file of the report, and how many ranks there are. */
  public static void main(String[] args) {
    run(Path.of(args[0]), Integer.parseInt(args[1]), 30);
  }

  static void run(Path report, int rankCount, int days) {
    BlockingRanks.run(rankCount, ranks -> new DebrisWithRestart(ranks).writeReport(report, days));
  }

  private DebrisWithRestart(BlockingCommunicator ranks) {
    this.ranks = ranks;
    this.own =
        Decomposition.rows(Shape.of(PIECE_COUNT, NUMBERS), ranks.size()).boxes(ranks.rank()).get(0);
    this.pieces = new double[(int) own.cellCount()];
    for (int piece = 0; piece < pieces.length / NUMBERS; piece++) {
      double distance = EARTH_RADIUS + 400 + own.start(0) + piece;
      pieces[piece * NUMBERS] = distance;
      pieces[piece * NUMBERS + 3] = Math.sqrt(Motion.GRAVITY / distance);
    }
  }

  private void writeReport(Path report, int days) throws IOException {
    try (BlockingCheckpoints checkpoints =
        BlockingCheckpoints.open(
            ranks,
            report.resolveSibling("debris.cairn"),
            state -> {
              state.field(
                  "pieces",
                  Shape.of(PIECE_COUNT, NUMBERS),
                  ElementType.DOUBLE,
                  blocks -> blocks.block(own, pieces));
              state.appendedFile("report", report, () -> lines.flush());
            })) {
      long begin = checkpoints.restore().map(found -> found.step()).orElse(0L);
      if (ranks.rank() == 0) {
        var mode = begin == 0 ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND;
        lines = Files.newBufferedWriter(report, StandardOpenOption.CREATE, mode);
      }
      for (long day = begin; day < days; day++) {
        for (int piece = 0; piece < pieces.length / NUMBERS; piece++) {
          fly(piece, day);
        }
        long lowest = ranks.allReduce(lowest(), Math::min);
        lines.write(String.format("day %d: %d m%n", day + 1, lowest));
        checkpoints.save(day + 1);
      }
      lines.close();
    }
  }

  private void fly(int piece, long day) {
    double[] numbers = new double[NUMBERS];
    System.arraycopy(pieces, piece * NUMBERS, numbers, 0, NUMBERS);
    var integrator = new DormandPrince853Integrator(1e-3, 1e3, 1e-9, 1e-9);
    var evening =
        integrator.integrate(new Motion(), new ODEState(day * DAY, numbers), (day + 1) * DAY);
    System.arraycopy(evening.getPrimaryState(), 0, pieces, piece * NUMBERS, NUMBERS);
  }

  private long lowest() {
    double lowest = Double.MAX_VALUE;
    for (int at = 0; at < pieces.length; at += NUMBERS) {
      lowest = Math.min(lowest, Math.hypot(pieces[at], pieces[at + 1]) - EARTH_RADIUS);
    }
    return Math.round(lowest * 1000);
  }

  /** The earth pulls, and the air, thinner by 1/e every 60 km, holds back. */
  private static final class Motion implements OrdinaryDifferentialEquation {
    private static final double GRAVITY = 398_600.4418;
    private static final double DRAG = 1e-11;

    @Override
    public int getDimension() {
      return NUMBERS;
    }

    @Override
    public double[] computeDerivatives(double time, double[] numbers) {
      double distance = Math.hypot(numbers[0], numbers[1]);
      double speed = Math.hypot(numbers[2], numbers[3]);
      double pull = GRAVITY / (distance * distance * distance);
      double drag = DRAG * Math.exp((EARTH_RADIUS + 400 - distance) / 60) * speed;
      return new double[] {
        numbers[2],
        numbers[3],
        -pull * numbers[0] - drag * numbers[2],
        -pull * numbers[1] - drag * numbers[3]
      };
    }
  }
}
