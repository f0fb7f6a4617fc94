package dev.cairn.sion.cli;

import dev.cairn.command.Shell;
import dev.cairn.command.StandardOutput;
import dev.cairn.command.WrongUsage;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.FileBlockStore;
import dev.cairn.sion.store.UndecodedName;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/**
 * The command {@code sion}: looks at multifiles, takes them apart, rewrites, checks and repairs
 * them, reads and makes sets of HDF5 sub-files, and reads logs.
 *
 * <p>Exit codes: 0 done; 1 a file was refused, is damaged, or could not be read or written; 2 wrong
 * usage; 141, as for every other tool, when the reader of its output left early.
 */
@Command(
    name = "sion",
    description = {
      "Looks at SION multifiles, takes them apart, rewrites, checks and repairs them.",
      "Reads and makes sets of HDF5 sub-files, and reads and replays logs."
    },
    footer = {
      "",
      "Each verb has its own help: sion dump --help",
      "",
      "Exit codes: 0 done; 1 a file was refused, is damaged, or could not be read or "
          + "written; 2 wrong usage; 141 the reader of the output left early."
    })
public final class SionCommand extends VerbGroup {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int WRONG_USAGE = 2;

  /** 128 + SIGPIPE: the exit code of a C program that wrote into a closed pipe. */
  static final int READER_LEFT = 141;

  private static final int HELP_WIDTH = 80;

  private final Shell<BlockStore> shell;

  SionCommand(Shell<BlockStore> shell) {
    this.shell = shell;
    add("dump", DumpVerb::new);
    add("cat", CatVerb::new);
    add("split", SplitVerb::new);
    add("defrag", DefragVerb::new);
    add("map", MapVerb::new);
    add("verify", VerifyVerb::new);
    add("repair", RepairVerb::new);
    add("subfiles", () -> new SubFilesVerb().lineFor());
    add("log", () -> new LogVerb().lineFor());
    add("version", VersionVerb::new);
  }

  Shell<BlockStore> shell() {
    return shell;
  }

  /** Runs one verb and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(Shell.ofThisProcess(new FileBlockStore()), arguments));
  }

  /** Runs one verb; returns the exit code. */
  static int run(Shell<BlockStore> shell, String... arguments) {
    Optional<String> undecoded = UndecodedName.firstOf(arguments);
    if (undecoded.isPresent()) {
      Failures.complain(shell, UndecodedName.sentence(undecoded.get()));
      return FAILED;
    }
    StringWriter help = new StringWriter();
    try {
      int exitCode = line(shell, help, arguments).execute(arguments);
      print(shell, help.toString());
      return exitCode;
    } catch (IOException | OutOfMemoryError failure) {
      return explain(shell, failure);
    }
  }

  private static void print(Shell<BlockStore> shell, String help) throws IOException {
    if (!help.isEmpty()) {
      shell.out().write(help.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Help text goes to {@code help} first, since picocli's writer would not report a full disk. */
  private static CommandLine line(Shell<BlockStore> shell, StringWriter help, String... arguments) {
    return new SionCommand(shell)
        .lineFor(arguments)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(HELP_WIDTH)
        .setOut(new PrintWriter(help))
        .setErr(new PrintWriter(shell.err(), true, StandardCharsets.UTF_8))
        .setParameterExceptionHandler((wrong, given) -> explainUsage(shell, wrong))
        .setExecutionExceptionHandler((failure, verb, parsed) -> explain(shell, failure));
  }

  private static int explainUsage(Shell<BlockStore> shell, ParameterException wrong) {
    shell.say(WrongUsage.sentence(wrong));
    return WRONG_USAGE;
  }

  private static int explain(Shell<BlockStore> shell, Throwable failure) {
    if (failure instanceof StandardOutput.ReaderLeft) {
      return READER_LEFT;
    }
    Failures.complain(shell, Failures.sentence(failure));
    return FAILED;
  }
}
