package dev.cairn.sion.cli;

import dev.cairn.command.Progress;
import dev.cairn.sion.Content;
import dev.cairn.sion.GlobalView;
import dev.cairn.sion.Multifile;
import dev.cairn.sion.TaskView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sion verify}: checks multifiles as far as the format allows. */
@Command(
    name = "verify",
    description = {
      "Checks that multifiles are complete, as far as the format allows.",
      "It checks all meta data, walks over all key-value records and reads every byte of "
          + "every task. The format has no checksums: a changed byte of data is not noticed, "
          + "unless Cairn has compressed its task, since compressed streams have checksums."
    },
    footer = {
      "",
      "A line on standard output for each good file, a sentence on standard error for each "
          + "other; for a broken one a second sentence lists the tasks that can be read.",
      "",
      "Example: sion verify run1/x.sion run2/x.sion"
    })
final class VerifyVerb extends CheckingVerb<String> {
  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "File 0 of a multifile, or another one alone.")
  private List<String> files = List.of();

  @Override
  public Integer call() throws IOException {
    return checkAll(files);
  }

  /** For a broken multifile a second sentence lists the tasks that can be read. */
  @Override
  Optional<String> check(String file) {
    try (GlobalView view = Multifile.open(store(), Path.of(file))) {
      return Optional.of(file + ": good; " + readAll(view, file));
    } catch (IOException failure) {
      complain(Failures.sentence(failure));
      SalvageReport.say(shell(), Path.of(file), failure);
      return Optional.empty();
    }
  }

  private String readAll(GlobalView view, String file) throws IOException {
    long bytes = 0;
    long records = 0;
    try (Progress progress = new Progress(shell(), "verify " + file, ReadableTasks.sizeOf(view))) {
      StreamCopy reading = new StreamCopy(progress);
      for (int number = 0; number < view.taskCount(); number++) {
        TaskView task = view.task(number);
        reading.copyContent(task, bytesRead -> {});
        bytes += task.size();
        records += recordCount(task, view.info().content());
      }
    }
    return String.format("tasks %d, records %d, bytes %d", view.taskCount(), records, bytes);
  }

  private static int recordCount(TaskView task, Content content) throws IOException {
    return switch (content) {
      case BYTES -> 0;
      case RECORDS -> task.records().entries().size();
    };
  }
}
