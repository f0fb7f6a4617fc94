package dev.cairn.faces;

import dev.cairn.java.BlockingCheckpoints;
import dev.cairn.java.BlockingCommunicator;
import dev.cairn.java.BlockingSimulation;
import dev.cairn.options.SimulationOptions;
import dev.cairn.sion.store.FileBlockStore;
import dev.cairn.state.Codecs;
import dev.cairn.state.ThrowingConsumer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Programs in Java that keep the file of an output open, and are killed in a step. */
public final class JournalInJava {
  private final Path file;
  private final long killedIn;
  private BufferedWriter lines;
  private long sum;

  public JournalInJava(Path file, long killedIn) {
    this.file = file;
    this.killedIn = killedIn;
  }

  /** With a loop of its own. */
  public void run(BlockingCommunicator ranks) throws IOException {
    Path store = file.resolveSibling("java.cairn");
    try (BlockingCheckpoints checkpoints =
        BlockingCheckpoints.open(
            ranks,
            store,
            state -> {
              state.replicated("sum", Codecs.LONG, () -> sum, value -> sum = value);
              state.appendedFile("journal", file, this::flush);
            })) {
      long first = checkpoints.restore().map(found -> found.step()).orElse(0L);
      for (long step = first; step < 20; step++) {
        write(ranks.rank(), step);
        if ((step + 1) % 5 == 0) {
          checkpoints.save(step + 1);
        }
      }
      close();
    }
  }

  /** With a loop of Cairn's. */
  public void simulate(BlockingCommunicator ranks) {
    String[] args = {"--dir", file.resolveSibling("simulated.cairn").toString(), "--every", "5"};
    ThrowingConsumer<BlockingSimulation> program =
        sim -> {
          sim.replicated("sum", Codecs.LONG, () -> sum, value -> sum = value);
          sim.appendedFile("journal", file, this::flush);
          for (long step : sim.steps(20)) {
            write(sim.rank(), step);
          }
          close();
        };
    BlockingSimulation.simulate(
        ranks, "journal", args, SimulationOptions.builder().build(), new FileBlockStore(), program);
  }

  /** Passes the writer itself, which is open before the restore. */
  public static void passWriter(BlockingCommunicator ranks, Path file, long killedIn)
      throws IOException {
    BufferedWriter journal =
        Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    journal.write("the journal\n");
    Path store = file.resolveSibling("open.cairn");
    try (BlockingCheckpoints checkpoints =
        BlockingCheckpoints.open(
            ranks, store, state -> state.appendedFile("journal", file, journal))) {
      long first = checkpoints.restore().map(found -> found.step()).orElse(0L);
      for (long step = first; step < 20; step++) {
        journal.write("step " + step + "\n");
        if (step == killedIn) {
          throw new IllegalStateException("killed");
        }
        if ((step + 1) % 5 == 0) {
          checkpoints.save(step + 1);
        }
      }
      journal.close();
    }
  }

  private void write(int rank, long step) throws IOException {
    sum += step;
    if (rank == 0) {
      if (lines == null) {
        StandardOpenOption kept =
            step == 0 ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND;
        lines = Files.newBufferedWriter(file, StandardOpenOption.CREATE, kept);
      }
      lines.write("step " + step + ": " + sum + "\n");
    }
    if (step == killedIn) {
      throw new IllegalStateException("killed");
    }
  }

  private void flush() throws IOException {
    if (lines != null) {
      lines.flush();
    }
  }

  private void close() throws IOException {
    if (lines != null) {
      lines.close();
    }
  }
}
