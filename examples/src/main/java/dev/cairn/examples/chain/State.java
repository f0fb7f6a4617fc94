package dev.cairn.examples.chain;

/** A point with its prior and likelihood. The point's array is never written to once it is here. */
record State(double[] point, double logPrior, double logLikelihood) {

  double logPosterior() {
    return logPrior + logLikelihood;
  }

  /** The logarithm of the density that a chain of the given temperature samples. */
  double tempered(double temperature) {
    return logPrior + logLikelihood / temperature;
  }

  /** The parameters and the log posterior, with all their digits. */
  String line() {
    StringBuilder line = new StringBuilder();
    for (double value : point) {
      line.append(value).append(' ');
    }
    return line.append(logPosterior()).toString();
  }
}
