package dev.cairn.examples.chain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A decay curve as it was measured: times, and a noisy value at each. */
record Measurements(double[] times, double[] values) {
  private static final int SYNTHETIC_SIZE = 120;
  private static final double SYNTHETIC_END = 40;

  /** The parameters of the synthetic curve: amplitudes, rates and offset, and the noise. */
  private static final double[] TRUTH = {5, 3, 2, 3, 0.5, 0.08, 0.4};

  private static final double TRUE_NOISE = 0.05;

  /** Measurements made up from a known curve; more of them early, where the curve is steep. */
  static Measurements synthetic(long seed) {
    Chance.main().setSeed(seed);
    double[] times = new double[SYNTHETIC_SIZE];
    double[] values = new double[SYNTHETIC_SIZE];
    for (int i = 0; i < SYNTHETIC_SIZE; i++) {
      double part = (double) i / (SYNTHETIC_SIZE - 1);
      times[i] = SYNTHETIC_END * part * part;
      double noise = TRUE_NOISE * Chance.main().nextGaussian();
      values[i] = DecayModel.curve(TRUTH, times[i]) + noise;
    }
    return new Measurements(times, values);
  }

  /** Reads a file that has a time and a value on each line. */
  static Measurements read(Path file) throws SettingsException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new SettingsException("The data file " + file + " can't be read (" + e + ").");
    }
    if (lines.size() <= DecayModel.SIZE) {
      throw new SettingsException("The data file " + file + " has too few measurements.");
    }
    double[] times = new double[lines.size()];
    double[] values = new double[lines.size()];
    for (int i = 0; i < times.length; i++) {
      String[] words = lines.get(i).trim().split("\\s+");
      try {
        times[i] = Double.parseDouble(words[0]);
        values[i] = words.length == 2 ? Double.parseDouble(words[1]) : Double.NaN;
      } catch (NumberFormatException e) {
        times[i] = Double.NaN;
      }
      if (!(times[i] >= 0) || !Double.isFinite(times[i]) || !Double.isFinite(values[i])) {
        throw new SettingsException(
            "Line %d of %s is not a time, from 0 up, and a value.".formatted(i + 1, file));
      }
    }
    return new Measurements(times, values);
  }
}
