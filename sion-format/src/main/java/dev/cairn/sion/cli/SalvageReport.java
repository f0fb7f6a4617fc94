package dev.cairn.sion.cli;

import dev.cairn.command.NumberList;
import dev.cairn.command.Shell;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.salvage.Salvage;
import dev.cairn.sion.salvage.SalvageView;
import dev.cairn.sion.salvage.SalvageView.SalvagedFile.Condition;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;

/** Describes what is left of a multifile that the strict reader refuses. */
final class SalvageReport {
  private final SalvageView view;

  SalvageReport(SalvageView view) {
    this.view = view;
  }

  /**
   * Adds the tasks that can still be read to a failure of a multifile of several files. If they
   * cannot be determined, the failure stays as it is.
   */
  static void say(Shell<BlockStore> shell, Path multifile, IOException complaint) {
    if (!isAboutAnotherFile(complaint, multifile)) {
      return;
    }
    Salvage.SearchWatch watch = Salvage.SearchWatch.upTo(Salvage.SearchWatch.USUAL_LIMIT);
    try (SalvageView view = Salvage.open(shell.store(), multifile, watch)) {
      Failures.complain(shell, multifile + ": " + new SalvageReport(view).summary());
    } catch (IOException nothingLeft) {
      // The strict reader has reported the same failure already.
      return;
    }
  }

  /** File 0 is missing, or it is fine and another one is not. */
  private static boolean isAboutAnotherFile(IOException complaint, Path multifile) {
    return complaint instanceof NoSuchFileException
        || (complaint instanceof SionException broken
            && !broken.file().endsWith(multifile.getFileName()));
  }

  /** One sentence. */
  String summary() {
    int[] exact = tasks().filter(task -> view.task(task).isExact()).toArray();
    int[] vague = tasks().filter(task -> isVague(view.task(task))).toArray();
    int[] gone = tasks().filter(task -> view.task(task).trouble().isPresent()).toArray();
    return "tasks that are there: "
        + NumberList.of(exact)
        + "; there, but of unknown length: "
        + NumberList.of(vague)
        + "; not there: "
        + NumberList.of(gone)
        + missing()
        + numbering().map(text -> "; " + text).orElse("")
        + ".";
  }

  private String missing() {
    int count = view.missingFileCount();
    return count == 0
        ? ""
        : String.format(
            "; missing physical files: %s", NumberList.first(view.missingFiles(), count));
  }

  private IntStream tasks() {
    return IntStream.range(0, view.taskCount());
  }

  private static boolean isVague(SalvageView.SalvagedTask task) {
    return task.trouble().isEmpty() && !task.isExact();
  }

  /** The whole report, line by line: the failures of the files, then the tasks. */
  void print(TextOutput out) throws IOException {
    for (SalvageView.SalvagedFile file : view.files()) {
      if (file.trouble().isPresent()) {
        out.text(file.condition() == Condition.LOST ? "lost: " : "not closed: ");
        out.text(Failures.sentence(file.trouble().get())).line();
      }
    }
    if (view.missingFileCount() > 0) {
      String numbers = NumberList.first(view.missingFiles(), view.missingFileCount());
      out.text("missing physical files: " + numbers).line();
    }
    if (numbering().isPresent()) {
      out.text(numbering().get()).line();
    }
    for (int task = 0; task < view.taskCount(); task++) {
      print(out, view.task(task));
    }
  }

  /** The numbering of tasks where the mapping is lost. */
  private Optional<String> numbering() {
    return switch (view.numbers()) {
      case AS_WRITTEN -> Optional.empty();
      case BY_GLOBAL_RANK ->
          Optional.of("the mapping is gone; tasks are numbered by their global ranks");
      case BY_FILE ->
          Optional.of("the mapping is gone, and no number is sure; tasks are counted file by file");
    };
  }

  private static void print(TextOutput out, SalvageView.SalvagedTask task) throws IOException {
    out.text("task ").number(task.task());
    if (task.globalRank().isPresent()) {
      out.text(" (global rank ").number(task.globalRank().getAsLong()).text(")");
    }
    out.text(": ").text(lengths(task));
    out.text(task.remark().isEmpty() ? "" : "; " + task.remark()).line();
  }

  private static String lengths(SalvageView.SalvagedTask task) {
    if (task.trouble().isPresent()) {
      return "not there";
    }
    long least = task.size(Salvage.Lengths.LEAST);
    return task.isExact()
        ? least + " bytes"
        : String.format("%d to %d bytes", least, task.size(Salvage.Lengths.MOST));
  }
}
