package dev.cairn.examples.chain;

import java.util.List;
import java.util.Random;

/**
 * A sum of three decaying exponentials with an offset and Gaussian noise of unknown width.
 *
 * <p>All parameters but the offset are logarithms. Their priors are normal, and the rates fall from
 * each term to the next, so that the terms can't change places. StrictMath is used throughout: the
 * results must not depend on the machine.
 */
final class DecayModel {
  static final List<String> NAMES =
      List.of("lnA1", "lnA2", "lnA3", "lnRate1", "lnRate2", "lnRate3", "offset", "lnNoise");
  static final int SIZE = NAMES.size();

  private static final int TERMS = 3;
  private static final int OFFSET = 2 * TERMS;
  private static final int NOISE = OFFSET + 1;
  private static final double[] CENTRES = {1, 1, 1, 1, -0.5, -2, 0, -2};
  private static final double[] SPREADS = {1, 1, 1, 1, 1, 1, 1, 1.5};

  private final Measurements data;

  DecayModel(Measurements data) {
    this.data = data;
  }

  /** The curve without noise, for amplitudes, rates and an offset in their own units. */
  static double curve(double[] natural, double time) {
    double sum = natural[OFFSET];
    for (int term = 0; term < TERMS; term++) {
      sum += natural[term] * StrictMath.exp(-natural[TERMS + term] * time);
    }
    return sum;
  }

  /** A point drawn from the prior. */
  State draw(Random random) {
    double[] point = new double[SIZE];
    do {
      for (int i = 0; i < SIZE; i++) {
        point[i] = CENTRES[i] + SPREADS[i] * random.nextGaussian();
      }
    } while (!ordered(point));
    return evaluate(point);
  }

  /** The state at a point; where the prior is zero, the likelihood is not computed. */
  State evaluate(double[] point) {
    return ordered(point)
        ? new State(point, logPrior(point), logLikelihood(point))
        : new State(point, Double.NEGATIVE_INFINITY, 0);
  }

  private static boolean ordered(double[] point) {
    return point[TERMS] > point[TERMS + 1] && point[TERMS + 1] > point[TERMS + 2];
  }

  private static double logPrior(double[] point) {
    double sum = 0;
    for (int i = 0; i < SIZE; i++) {
      double distance = (point[i] - CENTRES[i]) / SPREADS[i];
      sum -= 0.5 * distance * distance;
    }
    return sum;
  }

  private double logLikelihood(double[] point) {
    double[] natural = point.clone();
    for (int i = 0; i < OFFSET; i++) {
      natural[i] = StrictMath.exp(point[i]);
    }
    int size = data.times().length;
    double squares = 0;
    for (int i = 0; i < size; i++) {
      double residual = data.values()[i] - curve(natural, data.times()[i]);
      squares += residual * residual;
    }
    return -0.5 * squares * StrictMath.exp(-2 * point[NOISE]) - size * point[NOISE];
  }
}
