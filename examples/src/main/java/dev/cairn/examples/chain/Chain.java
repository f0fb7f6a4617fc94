package dev.cairn.examples.chain;

import java.util.Arrays;
import java.util.Random;

/**
 * A Metropolis-Hastings chain at one temperature.
 *
 * <p>Step widths belong to the temperature and stay; the state may be swapped for a neighbour's.
 */
final class Chain {
  private static final int PASSES = 5;
  private static final double TARGET_RATE = 0.44;
  private static final double FIRST_LOG_WIDTH = -2;
  private static final double GAIN_EXPONENT = -0.6;

  private final DecayModel model;
  private final double temperature;
  private final double[] logWidths = new double[DecayModel.SIZE];
  private final Rate steps = new Rate();
  private int adaptations;
  private State state;

  Chain(DecayModel model, double temperature, State state) {
    this.model = model;
    this.temperature = temperature;
    this.state = state;
    Arrays.fill(logWidths, FIRST_LOG_WIDTH);
  }

  State state() {
    return state;
  }

  Rate steps() {
    return steps;
  }

  /** Steps along each parameter in turn, several times over; called by the chain's worker. */
  void advance(boolean adapt) {
    Random random = Chance.worker();
    for (int pass = 0; pass < PASSES; pass++) {
      double gain = adapt ? StrictMath.pow(++adaptations, GAIN_EXPONENT) : 0;
      for (int i = 0; i < DecayModel.SIZE; i++) {
        double[] candidate = state.point().clone();
        candidate[i] += StrictMath.exp(logWidths[i]) * random.nextGaussian();
        boolean accepted = offer(candidate, random);
        steps.count(accepted);
        logWidths[i] += gain * ((accepted ? 1 : 0) - TARGET_RATE);
      }
    }
  }

  /** Moves to a candidate, symmetrically proposed, or stays; true if it moved. */
  boolean offer(double[] candidate, Random random) {
    State next = model.evaluate(candidate);
    double logRatio = next.tempered(temperature) - state.tempered(temperature);
    boolean accepted = StrictMath.log(random.nextDouble()) < logRatio;
    if (accepted) {
      state = next;
    }
    return accepted;
  }

  /** Exchanges the states of this chain and a hotter one, or leaves both; true if exchanged. */
  boolean offerSwap(Chain hotter, Random random) {
    double logRatio =
        (1 / temperature - 1 / hotter.temperature)
            * (hotter.state.logLikelihood() - state.logLikelihood());
    boolean accepted = StrictMath.log(random.nextDouble()) < logRatio;
    if (accepted) {
      State mine = state;
      state = hotter.state;
      hotter.state = mine;
    }
    return accepted;
  }
}
