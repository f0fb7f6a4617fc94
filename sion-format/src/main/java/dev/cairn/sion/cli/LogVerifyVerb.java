package dev.cairn.sion.cli;

import dev.cairn.command.Progress;
import dev.cairn.command.Shell;
import dev.cairn.command.StandardOutput;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.log.LogReader;
import dev.cairn.sion.pnetcdf.BurstLog;
import dev.cairn.sion.pnetcdf.BurstLogName;
import dev.cairn.sion.pnetcdf.BurstLogSet;
import dev.cairn.sion.pnetcdf.StagedPut;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sion log verify}: checks logs as far as their format allows. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Checks that logs are whole, as far as their format allows.",
      "Of PnetCDF's logs it checks that those of all processes are there and belong together,"
          + " compares each entry with the one before and with the values, and reads every byte."
          + " They have no checksums: a changed value is not noticed. Of logs of Cairn all"
          + " checksums are compared."
    },
    footer = {
      "",
      "A line on standard output for each good log, or for those of each program; sentences on "
          + "standard error for the others. A log of Cairn is good also if its writer was stopped.",
      "",
      "Example: sion log verify /local/bb"
    })
final class LogVerifyVerb implements Callable<Integer> {
  private static final int WINDOW_SIZE = 1 << 20;

  private final Shell<BlockStore> shell;

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description = "Logs, or directories of them, as for 'sion log inspect'.")
  private List<String> arguments = List.of();

  LogVerifyVerb(Shell<BlockStore> shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException {
    FoundLogs found = FoundLogs.of(shell.store(), arguments);
    boolean isGood = true;
    for (List<BurstLogName> names : found.pnetcdf().values()) {
      isGood &= isGood(names);
    }
    for (Path directory : found.cairn()) {
      isGood &= isGood(directory);
    }
    return isGood ? SionCommand.DONE : SionCommand.FAILED;
  }

  private boolean isGood(List<BurstLogName> names) throws IOException {
    try (BurstLogSet set = BurstLogSet.open(shell.store(), names)) {
      set.losses().forEach(loss -> shell.say("sion: " + loss));
      set.conflicts().forEach(conflict -> shell.say("sion: " + conflict));
      if (!set.isWhole()) {
        return false;
      }
      long bytes = readAll(set);
      print(
          "%s: good; processes %d, puts %d, bytes %d",
          set.name(),
          set.logs().size(),
          set.logs().stream().mapToLong(BurstLog::putCount).sum(),
          bytes);
      return true;
    } catch (StandardOutput.ReaderLeft left) {
      throw left;
    } catch (IOException failure) {
      shell.say("sion: " + Failures.sentence(failure));
      return false;
    }
  }

  /** Returns how many bytes the values have. */
  private long readAll(BurstLogSet set) throws IOException {
    long bytes = set.logs().stream().mapToLong(BurstLog::dataSize).sum();
    ByteBuffer window = ByteBuffer.allocate((int) Math.min(WINDOW_SIZE, bytes));
    try (Progress progress = new Progress(shell, "verify " + set.name(), bytes)) {
      for (BurstLog log : set.logs()) {
        for (int number = 0; number < log.putCount(); number++) {
          read(log, log.put(number), window, progress);
        }
      }
    }
    return bytes;
  }

  private static void read(BurstLog log, StagedPut put, ByteBuffer window, Progress progress)
      throws IOException {
    for (long next = 0; next < put.dataSize(); next += window.limit()) {
      window.clear().limit((int) Math.min(window.capacity(), put.dataSize() - next));
      log.read(put, next, window);
      progress.advance(window.limit());
    }
  }

  private boolean isGood(Path directory) throws IOException {
    try (LogReader log = LogReader.open(shell.store(), directory)) {
      CairnLogReport report = new CairnLogReport(directory, log);
      report.breaks().ifPresent(at -> shell.say("sion: " + at + "."));
      List<String> damage = new ArrayList<>();
      log.verify(damaged -> damage.add(Failures.sentence(damaged)));
      damage.forEach(sentence -> shell.say("sion: " + sentence));
      if (!report.isUsable() || !damage.isEmpty()) {
        return false;
      }
      print(
          "%s: good; %s, records %d, bytes %d",
          directory, report.state(), log.recordCount(), log.payloadBytes());
      return true;
    } catch (StandardOutput.ReaderLeft left) {
      throw left;
    } catch (IOException failure) {
      shell.say("sion: " + Failures.sentence(failure));
      return false;
    }
  }

  private void print(String layout, Object... values) throws IOException {
    try (TextOutput out = new TextOutput(shell.out())) {
      out.line(layout, values);
    }
  }
}
