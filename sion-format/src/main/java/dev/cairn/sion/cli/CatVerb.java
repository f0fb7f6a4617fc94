package dev.cairn.sion.cli;

import dev.cairn.command.Progress;
import dev.cairn.command.Refusal;
import dev.cairn.sion.TaskView;
import dev.cairn.sion.cli.StreamCopy.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion cat}: the bytes of the tasks, one behind the other, as sioncat gives them. */
@Command(
    name = "cat",
    separator = " ",
    description = {
      "Writes the bytes of all tasks, one behind the other, without any meta data.",
      "The headers of key-value records count as bytes of their task."
    },
    footer = {
      "",
      "After a failure the output is incomplete, and the message says so. With -b, it has the tasks"
          + " before the first one that lacks the block. With --available the missing tasks are"
          + " listed on standard error.",
      "",
      "Example: sion cat -t 3 -o task3.bin x.sion"
    })
final class CatVerb extends TaskVerb {
  /** The value that selects everything in sioncat. */
  private static final int ALL = -1;

  @Option(
      names = "-t",
      paramLabel = "TASK",
      description = "Only this task, counted from 0; -1 for all.")
  private Optional<Integer> task = Optional.empty();

  @Option(
      names = "-b",
      paramLabel = "BLOCK",
      description = "Only this block of each task, counted from 0; -1 for all.")
  private Optional<Integer> block = Optional.empty();

  @Option(names = "-o", paramLabel = "OUT", description = "Into this file, not to standard output.")
  private Optional<String> output = Optional.empty();

  @Parameters(paramLabel = "FILE", description = "File 0 of a multifile, or another one alone.")
  private String file = "";

  @Override
  public Integer call() throws IOException {
    task = task.filter(number -> number != ALL);
    block = block.filter(number -> number != ALL);
    if (decompress && block.isPresent()) {
      throw wrong("-z takes whole tasks, so it does not go with -b");
    }
    try (ReadableTasks tasks = open(file)) {
      List<TaskView> chosen = chosenTasks(tasks);
      if (output.isPresent()) {
        Path path = Path.of(output.get());
        OutputFile.write(store(), Path.of(file), path, target -> copyVisibly(chosen, target));
      } else {
        copy(chosen, parts(chosen), StreamCopy.into(shell().out()), Progress.NONE);
      }
    }
    return SionCommand.DONE;
  }

  /** Of the chosen tasks, up to the first one that lacks the block. */
  private List<Part> parts(List<TaskView> chosen) {
    return chosen.stream().takeWhile(this::hasBlock).map(this::part).toList();
  }

  private boolean hasBlock(TaskView chosen) {
    return block.map(number -> number >= 0 && number < chosen.blockCount()).orElse(true);
  }

  private List<TaskView> chosenTasks(ReadableTasks tasks) throws IOException {
    if (task.isEmpty()) {
      return tasks.tasks();
    }
    int chosen = task.get();
    if (chosen < 0 || chosen >= tasks.taskCount()) {
      throw new Refusal(
          String.format("%s has tasks 0 to %d, but no %d.", file, tasks.taskCount() - 1, chosen));
    }
    List<TaskView> found = tasks.tasks().stream().filter(it -> it.task() == chosen).toList();
    if (found.isEmpty()) {
      throw new Refusal(
          String.format("%s: task %d is not there, or not to the last byte.", file, chosen));
    }
    return found;
  }

  private Part part(TaskView chosen) {
    if (block.isEmpty()) {
      return Part.whole(chosen);
    }
    int number = block.get();
    long position = IntStream.range(0, number).mapToLong(chosen::bytesInBlock).sum();
    return new Part(chosen, position, chosen.bytesInBlock(number));
  }

  private void copyVisibly(List<TaskView> chosen, StreamCopy.Target target) throws IOException {
    List<Part> parts = parts(chosen);
    long bytes = parts.stream().mapToLong(Part::length).sum();
    try (Progress progress = new Progress(shell(), "cat " + file, bytes)) {
      copy(chosen, parts, target, progress);
    }
  }

  /**
   * Tasks before one that lacks the block are written, as sioncat does; then that one is refused.
   */
  private void copy(
      List<TaskView> chosen, List<Part> parts, StreamCopy.Target target, Progress progress)
      throws IOException {
    StreamCopy copy = new StreamCopy(progress);
    for (Part part : parts) {
      if (verbose) {
        shell().say(String.format("task %d: %d bytes", part.task().task(), part.length()));
      }
      copy(copy, part, target);
    }
    if (parts.size() < chosen.size()) {
      TaskView lacking = chosen.get(parts.size());
      throw new Refusal(
          String.format(
              "%s: task %d has blocks 0 to %d, but no %d.",
              file, lacking.task(), lacking.blockCount() - 1, block.orElseThrow()));
    }
  }
}
