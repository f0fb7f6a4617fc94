package dev.cairn.sion.cli;

import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.FileBlockStore;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Optional;

/**
 * What a verb of a command sees of the world around it. It owns nothing.
 *
 * @param store the door to all files
 * @param out standard output, not buffered
 * @param err where sentences about failures go
 * @param terminal where a person watches, if one does
 */
public record Shell(
    BlockStore store, OutputStream out, PrintStream err, Optional<PrintWriter> terminal) {
  /** The files, output and terminal of this process. */
  public static Shell ofThisProcess() {
    OutputStream out = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    return new Shell(new FileBlockStore(), out, System.err, terminalOfThisProcess());
  }

  /**
   * A terminal that is read and written by a person. Whatever is shown there gets into no pipe and
   * no file: the JDK's own console is there only if standard input and output are both a terminal.
   */
  @SuppressWarnings("SystemConsoleNull")
  private static Optional<PrintWriter> terminalOfThisProcess() {
    // From JDK 22 on another console, which is always there, would else be taken.
    System.setProperty("jdk.console", "java.base");
    return Optional.ofNullable(System.console()).map(Console::writer);
  }

  /** Tells a person what is being done; verbs do so only when asked to. */
  public void say(String sentence) {
    err.println(sentence);
  }
}
