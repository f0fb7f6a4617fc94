package dev.cairn.sion.stripe;

/** Says how close ranks are to sub-files. The answers never change while a file is open. */
@FunctionalInterface
public interface ClosenessRule {
  Closeness between(int rank, int subFile);
}
