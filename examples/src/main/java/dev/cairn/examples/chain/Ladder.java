package dev.cairn.examples.chain;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The chains, from the coldest to the hottest, and the moves that involve several of them. These
 * moves are made by the main thread, between the workers' sweeps.
 */
final class Ladder {
  private static final double CROSS_SCALE = 2.38 / StrictMath.sqrt(2.0 * DecayModel.SIZE);

  private final List<Chain> chains = new ArrayList<>();
  private final List<Rate> swaps = new ArrayList<>();
  private final Rate crosses = new Rate();

  /** Starts each chain at a point of its own, drawn from the prior. */
  Ladder(DecayModel model, double[] temperatures) {
    for (double temperature : temperatures) {
      chains.add(new Chain(model, temperature, model.draw(Chance.main())));
    }
    for (int pair = 0; pair < chains.size() - 1; pair++) {
      swaps.add(new Rate());
    }
  }

  List<Chain> chains() {
    return chains;
  }

  State coldest() {
    return chains.get(0).state();
  }

  /** Offers each pair of neighbours a swap of their states, from the hottest pair down. */
  void swapNeighbours() {
    for (int i = swaps.size() - 1; i >= 0; i--) {
      swaps.get(i).count(chains.get(i).offerSwap(chains.get(i + 1), Chance.main()));
    }
  }

  /**
   * Offers one chain, chosen at random, a step along the difference of two others. This follows the
   * correlations, which steps along single parameters do not.
   */
  void cross() {
    Random random = Chance.main();
    List<Chain> shuffled = new ArrayList<>(chains);
    Collections.shuffle(shuffled, random);
    double factor = CROSS_SCALE * random.nextGaussian();
    double[] candidate = shuffled.get(0).state().point().clone();
    double[] from = shuffled.get(1).state().point();
    double[] to = shuffled.get(2).state().point();
    for (int i = 0; i < candidate.length; i++) {
      candidate[i] += factor * (to[i] - from[i]);
    }
    crosses.count(shuffled.get(0).offer(candidate, random));
  }

  /** Acceptance rates since the last call: swaps of each pair, crosses, steps of each chain. */
  String takeRates() {
    StringBuilder rates = new StringBuilder();
    swaps.forEach(rate -> rates.append(' ').append(rate.take()));
    rates.append(' ').append(crosses.take());
    chains.forEach(chain -> rates.append(' ').append(chain.steps().take()));
    return rates.toString();
  }
}
