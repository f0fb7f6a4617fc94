package dev.cairn.examples.chain;

import dev.cairn.SoloState;
import dev.cairn.java.BlockingSoloCheckpoints;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Samples the posterior of a decay curve's parameters by parallel tempering. */
public final class Sampler {
  private static final int REPORT_EVERY = 100;
  private static final int PROGRESS_EVERY = 250;

  private final Settings settings;
  private final Ladder ladder;
  private final Statistics statistics = new Statistics(DecayModel.NAMES);
  private int sweep;
  private PrintWriter samples;
  private PrintWriter swaps;

  private Sampler(Settings settings, Measurements data) {
    this.settings = settings;
    Chance.main().setSeed(settings.mainSeed());
    Chance.seedWorkers(settings.workerSeed());
    ladder = new Ladder(new DecayModel(data), settings.temperatures());
  }

  /** Runs the sampler; the one argument is the settings file. */
  public static void main(String[] args) {
    try {
      if (args.length != 1) {
        throw new SettingsException("Please name one settings file: Sampler settings.properties.");
      }
      Settings settings = Settings.load(args[0]);
      Measurements data =
          settings.dataFile() == null
              ? Measurements.synthetic(settings.dataSeed())
              : Measurements.read(settings.dataFile());
      new Sampler(settings, data).run(data);
    } catch (SettingsException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    } catch (IOException e) {
      System.err.println("The output can't be written (" + e + ").");
      System.exit(1);
    }
  }

  private void declare(SoloState state, Measurements data) {
    state.parameter("settings", settings);
    state.allowChange("settings.sweeps");
    state.parameter("data", data);
    state.fields("chance", Chance.class);
    state.fields("ladder", ladder);
    state.fields("statistics", statistics);
    samples = state.output("samples", settings.samplesFile()).writer();
    swaps = state.output("swaps", settings.swapsFile()).writer();
  }

  private void sample(BlockingSoloCheckpoints checkpoints) throws IOException {
    try (Workers workers = new Workers(ladder.chains(), settings.threads())) {
      samples.println("# sweep chain " + String.join(" ", DecayModel.NAMES) + " logPosterior");
      swaps.println("# sweep, rates since the last line: swaps of each pair, crosses, steps");
      sweep = (int) checkpoints.restore();
      while (checkpoints.saveIfDue(sweep, settings.sweeps())) {
        sweep++;
        workers.advance(sweep <= settings.burnIn());
        ladder.swapNeighbours();
        ladder.cross();
        if (sweep > settings.burnIn()) {
          keep(samples);
        }
        if (sweep % REPORT_EVERY == 0) {
          swaps.println(sweep + ladder.takeRates());
          flush(samples);
          flush(swaps);
        }
        if (sweep % PROGRESS_EVERY == 0) {
          showProgress();
        }
      }
      flush(samples);
    }
  }

  private void run(Measurements data) throws IOException {
    Path saves = settings.samplesFile().resolveSibling("chain.cairn");
    BlockingSoloCheckpoints.main(saves, state -> declare(state, data), this::sample);
    try (PrintWriter summary = open(settings.summaryFile())) {
      statistics.write(summary);
      flush(summary);
    }
    System.out.println("The summary is in " + settings.summaryFile() + ".");
  }

  /** Counts the coldest chain's state, and writes down all chains' if this sweep is to be kept. */
  private void keep(PrintWriter samples) {
    statistics.add(ladder.coldest().point());
    if ((sweep - settings.burnIn()) % settings.thinning() == 0) {
      List<Chain> chains = ladder.chains();
      for (int i = 0; i < chains.size(); i++) {
        samples.println(sweep + " " + i + " " + chains.get(i).state().line());
      }
    }
  }

  private void showProgress() {
    String progress = "sweep " + sweep + " of " + settings.sweeps();
    String phase = sweep <= settings.burnIn() ? " (burn-in)" : "";
    System.out.println(progress + phase + ", log posterior " + ladder.coldest().logPosterior());
  }

  private static PrintWriter open(Path path) throws IOException {
    return new PrintWriter(Files.newBufferedWriter(path));
  }

  /** Hands the lines to the system; lines that could not be written end the run here. */
  private static void flush(PrintWriter writer) throws IOException {
    if (writer.checkError()) {
      throw new IOException("a line was lost");
    }
  }
}
