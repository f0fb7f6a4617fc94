package dev.cairn.sion.cli;

import dev.cairn.command.Progress;
import dev.cairn.command.Refusal;
import dev.cairn.sion.FileMapping;
import dev.cairn.sion.GlobalView;
import dev.cairn.sion.Multifile;
import dev.cairn.sion.MultifileSpec;
import dev.cairn.sion.copy.Defragmentation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion defrag}: the same streams in a new multifile without holes. */
@Command(
    name = "defrag",
    separator = " ",
    description = {
      "Copies a multifile into a new one in which every task has one chunk, as large as its "
          + "bytes.",
      "The new file is, byte for byte, the one that siondefrag writes, but for its prefix "
          + "field where OUT has directories: it holds OUT's last name, as in every multifile of "
          + "Cairn, and not the path."
    },
    footer = {
      "",
      "Nothing is overwritten. OUT appears when all of it is written and on disk; until "
          + "then, its files have names that end in .part.",
      "",
      "Example: sion defrag -q 1 x.sion dense.sion"
    })
final class DefragVerb extends Verb {
  private static final int MEBIBYTE = 1 << 20;
  private static final int MOST_MEBIBYTES = Integer.MAX_VALUE / MEBIBYTE;

  /** The alignment of chunks, given in one of two units. */
  static final class BlockSizeChoice {
    @Option(
        names = "-q",
        paramLabel = "BYTES",
        description = "Aligns chunks to this many bytes, 1 for none; as in FILE without this.")
    private Optional<Integer> bytes = Optional.empty();

    @Option(names = "-Q", paramLabel = "MIB", description = "The same in units of 1024 * 1024.")
    private Optional<Integer> mebibytes = Optional.empty();
  }

  @ArgGroup private BlockSizeChoice blockSize = new BlockSizeChoice();

  @Option(names = "-v", description = "Reports on standard error what is written.")
  private boolean verbose;

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "Deals the tasks in equal shares to N physical files; 1 without this.")
  private int fileCount = 1;

  @Parameters(index = "0", paramLabel = "FILE", description = "File 0 of a multifile, or another.")
  private String file = "";

  @Parameters(index = "1", paramLabel = "OUT", description = "The new multifile.")
  private String out = "";

  @Override
  public Integer call() throws IOException {
    Optional<Integer> chosenSize = chosenBlockSize();
    OutputFile.requireNoInput(store(), Path.of(file), Path.of(out), "");
    try (GlobalView view = Multifile.open(store(), Path.of(file));
        Progress progress = new Progress(shell(), "defrag " + file, ReadableTasks.sizeOf(view))) {
      MultifileSpec target = target(view.info(), chosenSize);
      if (verbose) {
        shell().say(sentence(view, target));
      }
      Interruption.during(
          shell(), out, () -> Defragmentation.run(view, store(), target, progress::advance));
    } catch (IllegalArgumentException unfit) {
      // For instance more files than tasks, which is known only after FILE was opened.
      throw new Refusal(unfit.getMessage(), unfit);
    }
    return SionCommand.DONE;
  }

  private Optional<Integer> chosenBlockSize() {
    requireRange("--files", fileCount, Integer.MAX_VALUE);
    blockSize.bytes.ifPresent(size -> requireRange("-q", size, Integer.MAX_VALUE));
    blockSize.mebibytes.ifPresent(size -> requireRange("-Q", size, MOST_MEBIBYTES));
    return blockSize.bytes.or(() -> blockSize.mebibytes.map(size -> size * MEBIBYTE));
  }

  private MultifileSpec target(GlobalView.Info source, Optional<Integer> chosenSize) {
    Path path = Path.of(out);
    MultifileSpec target =
        fileCount == 1
            ? MultifileSpec.serial(path)
            : MultifileSpec.parallel(path).withMapping(FileMapping.contiguous(fileCount));
    return target
        .withBlockSize(chosenSize.orElse(source.blockSize()))
        .withContent(source.content())
        .withUserDataOrder(source.userDataOrder());
  }

  private String sentence(GlobalView view, MultifileSpec target) {
    return String.format(
        "%s: tasks %d, files %d, block size %d",
        out, view.taskCount(), fileCount, target.blockSize().orElseThrow());
  }
}
