package dev.cairn.command;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Optional;

/**
 * The environment of a verb: files, output and terminal. It owns nothing.
 *
 * @param <S> the type of the door to all files; this module has none
 * @param store the door to all files
 * @param out standard output, not buffered
 * @param err where {@link #say} prints
 * @param terminal the interactive terminal, if there is one
 */
public record Shell<S>(S store, OutputStream out, PrintStream err, Optional<PrintWriter> terminal) {
  /** The output and terminal of this process, with files behind {@code store}. */
  public static <S> Shell<S> ofThisProcess(S store) {
    OutputStream out = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    return new Shell<>(store, out, System.err, terminalOfThisProcess());
  }

  /**
   * The interactive terminal. Its output never reaches a pipe or a file, since the JDK's console
   * exists only if standard input and output are both a terminal.
   */
  @SuppressWarnings("SystemConsoleNull")
  private static Optional<PrintWriter> terminalOfThisProcess() {
    // From JDK 22 on the default is another console, which always exists.
    System.setProperty("jdk.console", "java.base");
    return Optional.ofNullable(System.console()).map(Console::writer);
  }

  /**
   * Prints a sentence: about a failure, or, only with an option for it, about what is being done.
   */
  public void say(String sentence) {
    err.println(sentence);
  }
}
