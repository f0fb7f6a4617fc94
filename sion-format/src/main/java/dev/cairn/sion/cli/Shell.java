package dev.cairn.sion.cli;

import dev.cairn.sion.store.BlockStore;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Optional;

/**
 * What a verb sees of the world around it. It owns nothing.
 *
 * @param store the door to all files
 * @param out standard output, not buffered
 * @param err where sentences about failures go
 * @param terminal where a person watches, if one does
 */
record Shell(BlockStore store, OutputStream out, PrintStream err, Optional<PrintWriter> terminal) {
  /** Tells a person what is being done; verbs do so only when asked to. */
  void say(String sentence) {
    err.println(sentence);
  }
}
