package dev.cairn.examples.existing;

import dev.cairn.java.BlockingSoloCheckpoints;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import org.hipparchus.ode.ODEState;
import org.hipparchus.ode.OrdinaryDifferentialEquation;
import org.hipparchus.ode.nonstiff.DormandPrince853Integrator;

/**
 * The same code after Cairn has come: it survives {@code kill -9}, and its report is the same. It
 * is one process, as before.
 */
public final class DebrisInOneProcess {
  private static final int PIECE_COUNT = 60;

  /** Of a piece: where it is, x and y in km, and how fast, in km/s. */
  private static final int NUMBERS = 4;

  private static final double EARTH_RADIUS = 6371;
  private static final double DAY = 86_400;

  private final double[] pieces = new double[PIECE_COUNT * NUMBERS];
  private Writer lines = Writer.nullWriter();

  /** Takes the file of the report. */
  public static void main(String[] args) throws IOException {
    run(Path.of(args[0]), 30);
  }

  static void run(Path report, int days) throws IOException {
    new DebrisInOneProcess().writeReport(report, days);
  }

  private DebrisInOneProcess() {
    for (int piece = 0; piece < PIECE_COUNT; piece++) {
      double distance = EARTH_RADIUS + 400 + piece;
      pieces[piece * NUMBERS] = distance;
      pieces[piece * NUMBERS + 3] = Math.sqrt(Motion.GRAVITY / distance);
    }
  }

  private void writeReport(Path report, int days) throws IOException {
    try (var checkpoints =
        BlockingSoloCheckpoints.open(
            report.resolveSibling("debris.cairn"),
            state -> {
              state.array("pieces", () -> pieces);
              lines = state.output("report", report).writer();
            })) {
      for (long day = checkpoints.restore(); checkpoints.saveIfDue(day, days); day++) {
        for (int piece = 0; piece < PIECE_COUNT; piece++) {
          fly(piece, day);
        }
        lines.write(String.format("day %d: %d m%n", day + 1, lowest()));
      }
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
