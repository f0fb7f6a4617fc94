package dev.cairn.sion.cli;

import dev.cairn.command.NumberList;
import dev.cairn.command.Progress;
import dev.cairn.command.Refusal;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.Content;
import dev.cairn.sion.Multifile;
import dev.cairn.sion.salvage.Salvage;
import dev.cairn.sion.salvage.SalvageView;
import dev.cairn.sion.store.Access;
import dev.cairn.sion.store.BlockFile;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion repair}: reports what is left of a broken multifile, and closes unclosed files. */
@Command(
    name = "repair",
    description = {
      "Reports what is left of a multifile that was not closed or that lacks files.",
      "With OUT it makes a closed copy, also of a multifile that is good; with "
          + "--in-place it closes the multifile itself. No byte that a task has written is ever "
          + "overwritten."
    },
    footer = {
      "",
      "Where the bytes do not determine the length of a task, --lengths selects it:",
      "  records   key-value: the records that are certainly whole",
      "  doubtful  key-value: also a task's last one if it ends in zeros that may be a hole",
      "  nonzero   plain bytes: each chunk up to its last byte that is not zero",
      "  chunk     plain bytes: whole chunks, up to the end of the file",
      "",
      "Where a file is missing or lost, nothing is repaired, unless --available is given: "
          + "then OUT is a new multifile of the readable tasks, with their global ranks.",
      "",
      "OUT appears when all of it is written and on disk; until then, its files have names "
          + "that end in .part.",
      "",
      "The exit code is 1, too, if something is broken and nothing was repaired.",
      "",
      "Example: sion repair --lengths nonzero x.sion repaired.sion"
    })
final class RepairVerb extends Verb {
  /** What {@code --lengths} says, each for one kind of content. */
  enum Choice {
    RECORDS(Content.RECORDS, Salvage.Lengths.LEAST),
    DOUBTFUL(Content.RECORDS, Salvage.Lengths.MOST),
    NONZERO(Content.BYTES, Salvage.Lengths.LEAST),
    CHUNK(Content.BYTES, Salvage.Lengths.MOST);

    private final Content content;
    private final Salvage.Lengths lengths;

    Choice(Content content, Salvage.Lengths lengths) {
      this.content = content;
      this.lengths = lengths;
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--lengths",
      paramLabel = "WHICH",
      description = "The length of tasks whose length is not known; see below.")
  private @Nullable Choice choice;

  @Option(names = "--in-place", description = "Closes IN itself, without a copy.")
  private boolean inPlace;

  @Option(
      names = "--available",
      description = "Where files are missing, puts the other files' tasks into OUT.")
  private boolean available;

  @Option(
      names = "--search",
      paramLabel = "BYTES",
      description = "The most bytes to search for the ends of tasks; 1 TiB if not given.")
  private long searchLimit = Salvage.SearchWatch.USUAL_LIMIT;

  @Parameters(index = "0", paramLabel = "IN", description = "File 0, or another one alone.")
  private String in = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "OUT",
      description = "The copy; its files must not exist.")
  private @Nullable String out;

  @Override
  public Integer call() throws IOException {
    if (searchLimit < 1) {
      throw wrong("--search takes 1 or more bytes, but not " + searchLimit);
    }
    if (inPlace && out != null) {
      throw new Refusal("repair either makes OUT or works --in-place, not both: leave one out.");
    }
    if (out != null) {
      OutputFile.requireNoInput(store(), Path.of(in), Path.of(out), ", or take --in-place");
    }
    if (available && out == null) {
      throw new Refusal("--available makes a new multifile: name OUT.");
    }
    try (SalvageView view = open(Path.of(in))) {
      return view.isWhole() ? nothingToRepair(view) : reportAndRepair(view);
    }
  }

  private SalvageView open(Path path) throws IOException {
    try (Progress progress = new Progress(shell(), "search " + path, searchLimit)) {
      Salvage.SearchWatch limit = Salvage.SearchWatch.upTo(searchLimit);
      return Salvage.open(
          store(),
          path,
          byteCount -> {
            limit.searched(byteCount);
            progress.advance(byteCount);
          });
    }
  }

  private int nothingToRepair(SalvageView view) throws IOException {
    if (out == null) {
      print("%s: good; there is nothing to repair", in);
    } else {
      copy(view, Salvage.Lengths.LEAST, Salvage::repairInto);
      print("%s: good; there is nothing to repair, and %s is a copy of it", in, out);
    }
    return SionCommand.DONE;
  }

  private int reportAndRepair(SalvageView view) throws IOException {
    try (TextOutput text = new TextOutput(shell().out())) {
      new SalvageReport(view).print(text);
    }
    if (available && tasks(view).anyMatch(it -> it.trouble().isPresent())) {
      return extract(view);
    }
    Salvage.requireEveryFile(view);
    if (!inPlace && out == null) {
      throw new Refusal(
          in + " is broken and was not changed. Give OUT for a repaired copy, or --in-place.");
    }
    Salvage.Lengths lengths = lengths(view);
    if (out == null) {
      Salvage.repair(store(), view, lengths);
      Multifile.open(store(), Path.of(in)).close();
      print("%s: repaired", in);
    } else {
      copy(view, lengths, Salvage::repairInto);
      print("%s: repaired", out);
    }
    return SionCommand.DONE;
  }

  private int extract(SalvageView view) throws IOException {
    copy(view, lengths(view), Salvage::extract);
    int[] kept =
        tasks(view)
            .filter(it -> it.trouble().isEmpty())
            .mapToInt(SalvageView.SalvagedTask::task)
            .toArray();
    print(
        "%s: holds %d of %d tasks, those that are there: %s",
        out, kept.length, view.taskCount(), NumberList.of(kept));
    return SionCommand.DONE;
  }

  private static Stream<SalvageView.SalvagedTask> tasks(SalvageView view) {
    return IntStream.range(0, view.taskCount()).mapToObj(view::task);
  }

  /** Makes OUT, in one of two ways. */
  private interface CopyAction {
    void run(
        BlockStore store, SalvageView view, Salvage.Lengths lengths, Path copy, LongConsumer copied)
        throws IOException;
  }

  private void copy(SalvageView view, Salvage.Lengths lengths, CopyAction copying)
      throws IOException {
    String copy = Objects.requireNonNull(out);
    try (Progress progress = new Progress(shell(), "copy " + in, bytes(view))) {
      Interruption.during(
          shell(),
          copy,
          () -> copying.run(store(), view, lengths, Path.of(copy), progress::advance));
    }
  }

  private long bytes(SalvageView view) throws IOException {
    long bytes = 0;
    for (SalvageView.SalvagedFile file : view.files()) {
      try (BlockFile open = store().open(file.path(), Access.READ)) {
        bytes += open.size();
      }
    }
    return bytes;
  }

  private Salvage.Lengths lengths(SalvageView view) throws IOException {
    Optional<Choice> chosen = Optional.ofNullable(choice);
    if (chosen.isPresent() && chosen.get().content != view.content()) {
      throw new Refusal(
          String.format(
              "--lengths %s is not for %s, whose tasks hold %s: take %s.",
              chosen.get().word(), in, words(view.content()), choices(view.content())));
    }
    boolean allExact =
        tasks(view)
            .filter(it -> it.trouble().isEmpty())
            .allMatch(SalvageView.SalvagedTask::isExact);
    if (chosen.isEmpty() && !allExact) {
      throw new Refusal(
          String.format(
              "the lengths of some tasks of %s are not sure: choose with --lengths %s.",
              in, choices(view.content())));
    }
    return chosen.map(it -> it.lengths).orElse(Salvage.Lengths.LEAST);
  }

  private static String words(Content content) {
    return content == Content.RECORDS ? "records" : "plain bytes";
  }

  private static String choices(Content content) {
    return content == Content.RECORDS ? "records or doubtful" : "nonzero or chunk";
  }
}
