package dev.cairn.faces;

/** A record whose constructor does not take what it gets. */
public record CountedInJava(int n) {
  /** Counts on. */
  public CountedInJava {
    n = n + 1;
  }

  /** The first one. */
  public static CountedInJava first() {
    return new CountedInJava(0);
  }
}
