package dev.cairn.sion.cli;

import dev.cairn.command.NumberFormats;
import dev.cairn.command.Progress;
import dev.cairn.command.Refusal;
import dev.cairn.sion.Content;
import dev.cairn.sion.RecordView;
import dev.cairn.sion.TaskView;
import dev.cairn.sion.cli.StreamCopy.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion split}: each task's bytes in a file of its own, under the names of sionsplit. */
@Command(
    name = "split",
    separator = " ",
    description = {
      "Writes the bytes of each task into a file of its own.",
      "It is named PREFIX and the task's number. Of a key-value multifile there is a file "
          + "per task and key, named PREFIX, number, '_', key: all records of that key, one behind "
          + "the other."
    },
    footer = {
      "",
      "Files that exist are overwritten, but a multifile never. Directories are not created. A "
          + "failure names the file that is incomplete. With --available the missing tasks are "
          + "listed on standard error.",
      "",
      "Example: sion split x.sion parts/x_",
      "  writes parts/x_00000, parts/x_00001, ..."
    })
final class SplitVerb extends TaskVerb {
  private static final int KEY_DIGITS = 12;

  /** The longest name that file systems accept. */
  private static final int MOST_DIGITS = 255;

  @Option(names = "-g", description = "Numbers the files by global rank, not by task.")
  private boolean byGlobalRank;

  @Option(names = "-d", paramLabel = "N", description = "Digits of the number; 5 without this.")
  private int digits = 5;

  @Parameters(index = "0", paramLabel = "FILE", description = "File 0 of a multifile, or another.")
  private String file = "";

  @Parameters(index = "1", paramLabel = "PREFIX", description = "How the files' names begin.")
  private String prefix = "";

  @Override
  public Integer call() throws IOException {
    requireRange("-d", digits, MOST_DIGITS);
    try (ReadableTasks tasks = open(file)) {
      if (byGlobalRank) {
        requireDifferentRanks(tasks);
      }
      split(tasks);
    }
    return SionCommand.DONE;
  }

  private void requireDifferentRanks(ReadableTasks tasks) throws IOException {
    Map<Long, Integer> taskOfRank = new HashMap<>();
    for (TaskView task : tasks.tasks()) {
      long rank = task.globalRank();
      Integer other = taskOfRank.put(rank, task.task());
      if (other != null) {
        throw new Refusal(
            String.format(
                "%s: tasks %d and %d both have the global rank %d, so their files would have the"
                    + " same name. Split it without -g.",
                file, other, task.task(), rank));
      }
    }
  }

  private long number(TaskView task) {
    return byGlobalRank ? task.globalRank() : task.task();
  }

  private void split(ReadableTasks tasks) throws IOException {
    try (Progress progress = new Progress(shell(), "split " + file, tasks.size())) {
      StreamCopy copy = new StreamCopy(progress);
      for (TaskView task : tasks.tasks()) {
        splitTask(task, tasks.content(), copy);
      }
    }
  }

  private void splitTask(TaskView task, Content content, StreamCopy copy) throws IOException {
    String name = prefix + NumberFormats.zeroFilled(number(task), digits);
    try {
      switch (content) {
        case BYTES -> write(name, target -> copy(copy, Part.whole(task), target));
        case RECORDS -> writeKeys(name, task, copy);
      }
    } catch (IOException failure) {
      throw new Refusal(
          String.format(
              "%s is split only in part, up to task %d: %s",
              file, task.task(), Failures.sentence(failure)),
          failure);
    }
  }

  private void writeKeys(String name, TaskView task, StreamCopy copy) throws IOException {
    RecordView records = task.records();
    for (long key : records.keys()) {
      List<Part> values = new ArrayList<>();
      for (RecordView.Entry entry : records.entries(key)) {
        values.add(new Part(task, entry.position(), entry.length()));
      }
      write(
          name + "_" + NumberFormats.zeroFilled(key, KEY_DIGITS),
          target -> {
            for (Part value : values) {
              copy.copy(value, target);
            }
          });
    }
  }

  private void write(String name, OutputFile.Writing content) throws IOException {
    if (verbose) {
      shell().say(name);
    }
    OutputFile.write(store(), Path.of(file), Path.of(name), content);
  }
}
