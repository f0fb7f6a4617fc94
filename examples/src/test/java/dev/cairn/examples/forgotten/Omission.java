package dev.cairn.examples.forgotten;

/**
 * The one piece of state that a program of this package forgets, by its name in {@code
 * omissions.tsv}: that of the environment variable {@code OMIT}. Without it a program forgets
 * nothing.
 */
final class Omission {
  private static String forgotten = System.getenv("OMIT");

  private Omission() {}

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
