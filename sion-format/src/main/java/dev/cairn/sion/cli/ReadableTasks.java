package dev.cairn.sion.cli;

import dev.cairn.command.Shell;
import dev.cairn.sion.Content;
import dev.cairn.sion.GlobalView;
import dev.cairn.sion.Multifile;
import dev.cairn.sion.TaskView;
import dev.cairn.sion.salvage.Salvage;
import dev.cairn.sion.salvage.SalvageView;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The tasks that a verb takes bytes from: all of a good multifile or, on request, those of a broken
 * one that are there to the last byte. It owns the open files. One thread at a time.
 */
final class ReadableTasks implements Closeable {
  private final Closeable view;
  private final Content content;
  private final int taskCount;
  private final List<TaskView> tasks;

  private ReadableTasks(Closeable view, Content content, int taskCount, List<TaskView> tasks) {
    this.view = view;
    this.content = content;
    this.taskCount = taskCount;
    this.tasks = tasks;
  }

  /** Opens a multifile of which every file is good. */
  static ReadableTasks all(Shell<BlockStore> shell, Path multifile) throws IOException {
    GlobalView view = Multifile.open(shell.store(), multifile);
    List<TaskView> tasks = new ArrayList<>();
    for (int task = 0; task < view.taskCount(); task++) {
      tasks.add(view.task(task));
    }
    return new ReadableTasks(view, view.info().content(), view.taskCount(), tasks);
  }

  /** Opens what is left of a multifile, and reports its tasks. */
  static ReadableTasks available(Shell<BlockStore> shell, Path multifile) throws IOException {
    SalvageView view =
        Salvage.open(
            shell.store(), multifile, Salvage.SearchWatch.upTo(Salvage.SearchWatch.USUAL_LIMIT));
    try {
      if (!view.isWhole()) {
        Failures.complain(shell, multifile + ": " + new SalvageReport(view).summary());
      }
      return new ReadableTasks(view, view.content(), view.taskCount(), exactTasks(view));
    } catch (IOException | RuntimeException failure) {
      view.close();
      throw failure;
    }
  }

  private static List<TaskView> exactTasks(SalvageView view) throws IOException {
    List<TaskView> tasks = new ArrayList<>();
    for (int number = 0; number < view.taskCount(); number++) {
      SalvageView.SalvagedTask task = view.task(number);
      if (task.isExact()) {
        tasks.add(task.read(Salvage.Lengths.LEAST));
      }
    }
    return tasks;
  }

  /** The bytes of all tasks together. */
  static long sizeOf(GlobalView view) {
    return IntStream.range(0, view.taskCount()).mapToLong(task -> view.task(task).size()).sum();
  }

  Content content() {
    return content;
  }

  /** How many tasks the multifile has, whether they can be read or not. */
  int taskCount() {
    return taskCount;
  }

  /** The tasks that can be read, in order. */
  List<TaskView> tasks() {
    return tasks;
  }

  /** The bytes of these tasks together. */
  long size() {
    return tasks.stream().mapToLong(TaskView::size).sum();
  }

  @Override
  public void close() throws IOException {
    view.close();
  }
}
