package dev.cairn.examples.chain;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Running means and covariances of the parameters, and a histogram of each. */
final class Statistics {
  private static final double BIN_WIDTH = 0.01;

  private final List<String> names;
  private final double[] means;
  private final double[][] products;

  /** For each parameter the counts of its bins, by number; bin n begins at n times the width. */
  private final List<SortedMap<Long, Integer>> histograms;

  private int count;

  Statistics(List<String> names) {
    this.names = names;
    means = new double[names.size()];
    products = new double[names.size()][names.size()];
    histograms =
        Stream.<SortedMap<Long, Integer>>generate(TreeMap::new).limit(names.size()).toList();
  }

  void add(double[] point) {
    count++;
    double[] before = new double[point.length];
    for (int i = 0; i < point.length; i++) {
      before[i] = point[i] - means[i];
      means[i] += before[i] / count;
      long bin = (long) StrictMath.floor(point[i] / BIN_WIDTH);
      histograms.get(i).merge(bin, 1, Integer::sum);
    }
    for (int i = 0; i < point.length; i++) {
      for (int j = 0; j <= i; j++) {
        products[i][j] += before[i] * (point[j] - means[j]);
      }
    }
  }

  /** The covariance of two parameters, the second not after the first. */
  private double covariance(int i, int j) {
    return count < 2 ? 0 : products[i][j] / (count - 1);
  }

  void write(PrintWriter out) {
    out.printf("%d states%n%nparameter       mean  deviation%n", count);
    for (int i = 0; i < means.length; i++) {
      double deviation = StrictMath.sqrt(covariance(i, i));
      out.printf(Locale.ROOT, "%-9s %10.5f %10.5f%n", names.get(i), means[i], deviation);
    }
    out.printf("%ncovariances%n");
    for (int i = 0; i < means.length; i++) {
      out.print(names.get(i));
      for (int j = 0; j <= i; j++) {
        out.print(" " + covariance(i, j));
      }
      out.println();
    }
    for (int i = 0; i < means.length; i++) {
      out.printf("%nhistogram of %s%n", names.get(i));
      histograms
          .get(i)
          .forEach((bin, n) -> out.printf(Locale.ROOT, "%8.2f %6d%n", bin * BIN_WIDTH, n));
    }
  }
}
