package dev.cairn.sion.cli;

import dev.cairn.sion.Content;
import dev.cairn.sion.Lengths;
import dev.cairn.sion.Multifile;
import dev.cairn.sion.Salvage;
import dev.cairn.sion.SalvageView;
import dev.cairn.sion.SalvagedFile;
import dev.cairn.sion.SearchWatch;
import dev.cairn.sion.layout.FileNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code sion repair}: tells what is left of a broken multifile, and closes what was not closed.
 */
@Command(
    name = "repair",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Tells what is left of a multifile that was not closed, or of which files are missing.",
      "With OUT it makes a copy that is closed, with --in-place it closes the multifile itself.",
      "No byte that a task has written is ever overwritten."
    },
    footer = {
      "",
      "Where nothing but the choice of a person can say how long tasks are, --lengths must be"
          + " given:",
      "  records   key-value: the records that are whole for certain",
      "  doubtful  key-value: also a task's last one if it ends in zeros that may be a hole",
      "  nonzero   plain bytes: each chunk up to its last byte that is not zero",
      "  chunk     plain bytes: whole chunks, up to the end of the file",
      "",
      "Exit code 1 also if something is broken and nothing was repaired.",
      "",
      "Example: sion repair --lengths nonzero x.sion repaired.sion"
    })
final class RepairVerb implements Callable<Integer> {
  private final Shell shell;

  /** What {@code --lengths} says, each for one kind of content. */
  enum Choice {
    RECORDS(Content.RECORDS, Lengths.LEAST),
    DOUBTFUL(Content.RECORDS, Lengths.MOST),
    NONZERO(Content.BYTES, Lengths.LEAST),
    CHUNK(Content.BYTES, Lengths.MOST);

    private final Content content;
    private final Lengths lengths;

    Choice(Content content, Lengths lengths) {
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
      description = "What counts of tasks of unknown length, see below.")
  private @Nullable Choice choice;

  @Option(names = "--in-place", description = "Closes IN itself, without a copy.")
  private boolean inPlace;

  @Option(
      names = "--search",
      paramLabel = "BYTES",
      description = "The most bytes to search for the ends of tasks; 1 TiB if not given.")
  private long searchLimit = SearchWatch.USUAL_LIMIT;

  @Parameters(index = "0", paramLabel = "IN", description = "File 0, or another one alone.")
  private String in = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "OUT",
      description = "The copy; its files must not exist.")
  private @Nullable String out;

  RepairVerb(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException {
    if (inPlace && out != null) {
      throw new Refusal("repair either makes OUT or works --in-place, not both: leave one out.");
    }
    try (SalvageView view = open(Path.of(in))) {
      return view.isWhole() ? nothingToDo() : reportAndRepair(view);
    }
  }

  private SalvageView open(Path path) throws IOException {
    try (Progress progress = new Progress(shell, "search " + path, searchLimit)) {
      SearchWatch limit = SearchWatch.upTo(searchLimit);
      return Salvage.open(
          shell.store(),
          path,
          byteCount -> {
            limit.searched(byteCount);
            progress.advance(byteCount);
          });
    }
  }

  private int nothingToDo() throws IOException {
    print(in + ": good; there is nothing to repair");
    return SionCommand.DONE;
  }

  private int reportAndRepair(SalvageView view) throws IOException {
    try (TextOutput text = new TextOutput(shell.out())) {
      new Remains(view).print(text);
    }
    Salvage.requireEveryFile(view);
    if (!inPlace && out == null) {
      throw new Refusal(
          in + " is broken and was not changed. Give OUT for a repaired copy, or --in-place.");
    }
    Lengths lengths = lengths(view);
    String repaired = repair(view, lengths);
    Multifile.open(shell.store(), Path.of(repaired)).close();
    print(repaired + ": repaired");
    return SionCommand.DONE;
  }

  private String repair(SalvageView view, Lengths lengths) throws IOException {
    String copy = out;
    if (copy == null) {
      Salvage.repair(shell.store(), view, lengths);
      return in;
    }
    copyFiles(view, Path.of(copy));
    try (SalvageView copied = open(Path.of(copy))) {
      Salvage.repair(shell.store(), copied, lengths);
    }
    return copy;
  }

  private void copyFiles(SalvageView view, Path copy) throws IOException {
    for (SalvagedFile file : view.files()) {
      Path target = FileNames.physical(copy, file.fileNumber());
      new SparseCopy(shell, file.path(), target).run();
    }
  }

  private Lengths lengths(SalvageView view) throws IOException {
    Optional<Choice> chosen = Optional.ofNullable(choice);
    if (chosen.isPresent() && chosen.get().content != view.content()) {
      throw new Refusal(
          String.format(
              "--lengths %s is not for %s, whose tasks hold %s: take %s.",
              chosen.get().word(), in, words(view.content()), choices(view.content())));
    }
    boolean allExact = IntStream.range(0, view.taskCount()).allMatch(t -> view.task(t).isExact());
    if (chosen.isEmpty() && !allExact) {
      throw new Refusal(
          String.format(
              "the lengths of some tasks of %s are not sure: choose with --lengths %s.",
              in, choices(view.content())));
    }
    return chosen.map(it -> it.lengths).orElse(Lengths.LEAST);
  }

  private static String words(Content content) {
    return content == Content.RECORDS ? "records" : "plain bytes";
  }

  private static String choices(Content content) {
    return content == Content.RECORDS ? "records or doubtful" : "nonzero or chunk";
  }

  private void print(String line) throws IOException {
    try (TextOutput text = new TextOutput(shell.out())) {
      text.text(line).line();
    }
  }
}
