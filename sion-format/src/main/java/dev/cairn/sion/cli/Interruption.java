package dev.cairn.sion.cli;

import dev.cairn.command.Shell;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;

/**
 * Reports the files left behind when Ctrl-C or a signal ends the process during a copy. After
 * SIGKILL no report is possible.
 */
final class Interruption {
  private Interruption() {}

  /** What makes a copy. */
  @FunctionalInterface
  interface Copying {
    void run() throws IOException;
  }

  /** Makes a copy that bears the name {@code copy} only when it is whole. */
  static void during(Shell<BlockStore> shell, String copy, Copying copying) throws IOException {
    String sentence =
        String.format(
            "sion: interrupted: %s was not made, and what there is of it has names that end in"
                + " .part: delete %s*.part.",
            copy, copy);
    Thread atExit = new Thread(() -> shell.say(sentence), "sion-interruption");
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      copying.run();
    } finally {
      remove(atExit);
    }
  }

  private static void remove(Thread atExit) {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException ending) {
      // The process is already ending, and the report is being printed.
      return;
    }
  }
}
