package dev.cairn.sion.cli;

import dev.cairn.command.NumberFormats;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.FileMapping;
import dev.cairn.sion.GlobalView;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The end of siondump's output for a multifile of several files: their names as the prefix gives
 * them, and with {@code -m} and {@code -M} which task lies where. A file that was opened alone has
 * no mapping to print.
 */
final class FileText {
  private static final String RULE = "-".repeat(60);
  private static final int PLACES_IN_LINE = 16;

  /** The most files that are listed from the header of one file that was opened alone. */
  private static final int MOST_UNSEEN = 1_000;

  private final TextOutput out;
  private final GlobalView view;
  private final GlobalView.Info info;
  private final int mappedCount;
  private final int listedCount;

  FileText(TextOutput out, GlobalView view) {
    this.out = out;
    this.view = view;
    this.info = view.info();
    this.mappedCount = view.spansFiles() ? view.taskCount() : 0;
    this.listedCount =
        view.spansFiles() ? info.fileCount() : Math.min(info.fileCount(), MOST_UNSEEN);
  }

  void printFiles() throws IOException {
    out.line(RULE);
    out.line("siondump: number of files:           %d", info.fileCount());
    for (int number = 0; number < listedCount; number++) {
      String suffix = number == 0 ? "" : "." + NumberFormats.zeroFilled(number, 6);
      out.line("siondump: file %3d:                    %s ", number + 1, info.prefix() + suffix);
    }
    if (listedCount < info.fileCount()) {
      out.line("siondump: and %d more", info.fileCount() - listedCount);
    }
    out.line(RULE);
  }

  void printMapping() throws IOException {
    out.text("  mapping: ");
    for (int task = 0; task < mappedCount; task++) {
      FileMapping.TaskPlace place = view.place(task);
      out.text("[").zeroFilled(task, 5);
      out.text(" -> (f").zeroFilled(place.fileNumber(), 3);
      out.text(",t").zeroFilled(place.localRank(), 3).text(")] ");
      if ((task + 1) % PLACES_IN_LINE == 0) {
        out.line();
        out.text("        ");
      }
    }
    out.line();
    out.line(RULE);
  }

  void printMappingByFile() throws IOException {
    Map<Integer, List<Integer>> tasksByFile =
        IntStream.range(0, mappedCount)
            .boxed()
            .collect(Collectors.groupingBy(task -> view.place(task).fileNumber()));
    for (int number = 0; number < listedCount; number++) {
      out.text("  file[").zeroFilled(number, 3).text("]: ");
      for (int task : tasksByFile.getOrDefault(number, List.of())) {
        out.right(view.place(task).localRank(), 2).text(":").zeroFilled(task, 5).text(" ");
      }
      out.line();
    }
    out.line(RULE);
  }
}
