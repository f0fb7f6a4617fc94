package dev.cairn.sion.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A verb that checks things one by one, and prints a line for each good one. */
abstract class CheckingVerb<T> extends Verb {
  /** Returns the line for a good thing; empty for a bad one, after complaining of its defects. */
  abstract Optional<String> check(T thing) throws IOException;

  /** The exit code says whether all are good. */
  final int checkAll(List<T> things) throws IOException {
    int exitCode = SionCommand.DONE;
    for (T thing : things) {
      Optional<String> good = checked(thing);
      if (good.isPresent()) {
        print("%s", good.get());
      } else {
        exitCode = SionCommand.FAILED;
      }
    }
    return exitCode;
  }

  private Optional<String> checked(T thing) {
    try {
      return check(thing);
    } catch (IOException failure) {
      complain(Failures.sentence(failure));
      return Optional.empty();
    }
  }
}
