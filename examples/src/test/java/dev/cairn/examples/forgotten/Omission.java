package dev.cairn.examples.forgotten;

import java.util.Arrays;

/**
 * The one piece of state that a program of this package forgets, by its name in {@code
 * omissions.tsv}: that of the environment variable {@code OMIT}. Without it a program forgets
 * nothing.
 */
final class Omission {
  private static String forgotten = System.getenv("OMIT");

  private Omission() {}

  /** Runs a program that forgets the first argument; the second one names its class. */
  public static void main(String[] args) throws ReflectiveOperationException {
    forgotten = args[0];
    var program = Class.forName(args[1]).getMethod("main", String[].class);
    program.invoke(null, (Object) Arrays.copyOfRange(args, 2, args.length));
  }

  /** Declares a piece of state, unless it is the forgotten one. */
  static void unless(String piece, Runnable declaration) {
    if (!piece.equals(forgotten)) {
      declaration.run();
    }
  }

  /** What is right, unless it is this piece that is forgotten; then what a hurried author wrote. */
  static <T> T unless(String piece, T right, T wrong) {
    return piece.equals(forgotten) ? wrong : right;
  }
}
