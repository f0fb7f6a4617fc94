package dev.cairn.sion.cli;

import dev.cairn.sion.GlobalView;
import dev.cairn.sion.Multifile;
import dev.cairn.sion.TaskView;
import dev.cairn.sion.cli.StreamCopy.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sion cat}: the bytes of the tasks, one behind the other, as sioncat gives them. */
@Command(
    name = "cat",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    separator = " ",
    description = {
      "Writes the bytes of all tasks, one behind the other, without any meta data.",
      "The headers of key-value records count as bytes of their task."
    },
    footer = {
      "",
      "If it fails, what it has written so far is incomplete; the sentence says so.",
      "",
      "Example: sion cat -t 3 -o task3.bin x.sion"
    })
final class CatVerb implements Callable<Integer> {
  private final Shell shell;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "-v", description = "Says on standard error what is written.")
  private boolean verbose;

  @Option(names = "-t", paramLabel = "TASK", description = "Only this task, counted from 0.")
  private Optional<Integer> task = Optional.empty();

  @Option(names = "-b", paramLabel = "BLOCK", description = "Only this block of each task, from 0.")
  private Optional<Integer> block = Optional.empty();

  @Option(
      names = {"-z", "--decompress"},
      description = "Decompresses the tasks whose streams Cairn has compressed.")
  private boolean decompress;

  @Option(names = "-o", paramLabel = "OUT", description = "Into this file, not to standard output.")
  private Optional<String> output = Optional.empty();

  @Parameters(paramLabel = "FILE", description = "File 0 of a multifile, or another one alone.")
  private String file = "";

  CatVerb(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException {
    if (decompress && block.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "-z takes whole tasks, so it does not go with -b");
    }
    try (GlobalView view = Multifile.open(shell.store(), Path.of(file))) {
      List<Part> parts = parts(view);
      if (output.isPresent()) {
        Path path = Path.of(output.get());
        OutputFile.write(shell.store(), path, target -> copyVisibly(parts, target));
      } else {
        copy(parts, (bytes, length) -> shell.out().write(bytes, 0, length), Progress.NONE);
      }
    }
    return SionCommand.DONE;
  }

  /** Everything is looked up before the first byte is written. */
  private List<Part> parts(GlobalView view) throws IOException {
    List<Part> parts = new ArrayList<>();
    for (int number : chosenTasks(view).toArray()) {
      TaskView chosen = view.task(number);
      parts.add(block.isPresent() ? partOf(chosen, block.get()) : Part.whole(chosen));
    }
    return parts;
  }

  private IntStream chosenTasks(GlobalView view) throws IOException {
    if (task.isEmpty()) {
      return IntStream.range(0, view.taskCount());
    }
    int chosen = task.get();
    if (chosen < 0 || chosen >= view.taskCount()) {
      throw new Refusal(
          String.format("%s has tasks 0 to %d, but no %d.", file, view.taskCount() - 1, chosen));
    }
    return IntStream.of(chosen);
  }

  private Part partOf(TaskView chosen, int number) throws IOException {
    if (number < 0 || number >= chosen.blockCount()) {
      throw new Refusal(
          String.format(
              "%s: task %d has blocks 0 to %d, but no %d.",
              file, chosen.task(), chosen.blockCount() - 1, number));
    }
    long position = IntStream.range(0, number).mapToLong(chosen::bytesInBlock).sum();
    return new Part(chosen, position, chosen.bytesInBlock(number));
  }

  private void copyVisibly(List<Part> parts, StreamCopy.Target target) throws IOException {
    long bytes = parts.stream().mapToLong(Part::length).sum();
    try (Progress progress = new Progress(shell, "cat " + file, bytes)) {
      copy(parts, target, progress);
    }
  }

  private void copy(List<Part> parts, StreamCopy.Target target, Progress progress)
      throws IOException {
    StreamCopy copy = new StreamCopy(progress);
    for (Part part : parts) {
      if (verbose) {
        shell.say(String.format("task %d: %d bytes", part.task().task(), part.length()));
      }
      if (decompress) {
        copy.copyContent(part.task(), target);
      } else {
        copy.copy(part, target);
      }
    }
  }
}
