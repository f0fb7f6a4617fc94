package dev.cairn.sion.cli;

import dev.cairn.sion.subfiles.SubFileSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sion subfiles verify}: checks sets of HDF5 sub-files as far as HDF5 allows. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Checks that sets of sub-files are complete and can be read.",
      "It compares the configuration, the stub and the superblock, compares the length of each "
          + "sub-file with the one that follows from the length of the HDF5 file, and reads every "
          + "byte. There are no checksums: a changed byte of data is not noticed."
    },
    footer = {
      "",
      "A line on standard output for each good set, sentences on standard error for each "
          + "other, and for what is unusual about a good one: HDF5 cannot open a copied set, for "
          + "instance, but its bytes are good.",
      "",
      "Example: sion subfiles verify x.h5.subfile_5230.config"
    })
final class SubFilesVerifyVerb implements Callable<Integer> {
  private static final int WINDOW_SIZE = 1 << 22;

  private final Shell shell;

  @Parameters(
      paramLabel = "CONFIG",
      arity = "1..*",
      description = "The configuration of a set; its name ends in .config.")
  private List<String> configs = List.of();

  SubFilesVerifyVerb(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException {
    int exitCode = SionCommand.DONE;
    for (String config : configs) {
      if (!isGood(config)) {
        exitCode = SionCommand.FAILED;
      }
    }
    return exitCode;
  }

  private boolean isGood(String config) throws IOException {
    try (SubFileSet set =
        SubFileSet.open(shell.store(), Path.of(config), SubFileSet.MissingBytes.ALLOW)) {
      set.defects().forEach(defect -> shell.say("sion: " + defect));
      if (!set.defects().isEmpty()) {
        return false;
      }
      readAll(set);
      set.notes().forEach(note -> shell.say("sion: " + note));
      printGood(config, set);
      return true;
    } catch (StandardOutput.ReaderLeft left) {
      throw left;
    } catch (IOException failure) {
      shell.say("sion: " + Failures.sentence(failure));
      return false;
    }
  }

  private void readAll(SubFileSet set) throws IOException {
    ByteBuffer window = ByteBuffer.allocate((int) Math.min(WINDOW_SIZE, set.size()));
    try (Progress progress = new Progress(shell, "verify " + set.path(), set.size())) {
      for (long next = 0; next < set.size(); next += window.limit()) {
        window.clear().limit((int) Math.min(window.capacity(), set.size() - next));
        set.readFully(next, window);
        progress.advance(window.limit());
      }
    }
  }

  private void printGood(String config, SubFileSet set) throws IOException {
    try (TextOutput out = new TextOutput(shell.out())) {
      out.line(
          "%s: good; sub-files %d, stripe size %d, bytes %d",
          config, set.subFiles().size(), set.striping().depth(), set.size());
    }
  }
}
