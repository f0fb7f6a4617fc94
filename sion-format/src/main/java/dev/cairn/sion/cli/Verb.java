package dev.cairn.sion.cli;

import dev.cairn.command.Shell;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What each verb has: its environment, and the ways to print, to complain and to refuse options.
 */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class)
abstract class Verb implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** What the command itself was given. */
  Shell<BlockStore> shell() {
    return ((SionCommand) spec.root().userObject()).shell();
  }

  BlockStore store() {
    return shell().store();
  }

  /** Prints a line on standard output, laid out by {@link String#format}. */
  void print(String layout, Object... values) throws IOException {
    try (TextOutput out = new TextOutput(shell().out())) {
      out.line(layout, values);
    }
  }

  void complain(String sentence) {
    Failures.complain(shell(), sentence);
  }

  void complain(List<String> sentences) {
    sentences.forEach(this::complain);
  }

  ParameterException wrong(String flaw) {
    return new ParameterException(spec.commandLine(), flaw);
  }

  void requireRange(String option, long value, long most) {
    if (value < 1 || value > most) {
      throw wrong(option + " takes 1 to " + most + ", but not " + value);
    }
  }
}
