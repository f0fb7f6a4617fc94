package dev.cairn.sion.log;

/**
 * Which log this is. Each record repeats {@code id} and {@code generation}, so what an earlier log
 * left in a file is never taken for a record of this one.
 *
 * @param id a random number, another one for each log
 * @param generation the save, or another counter of the program, to which the log belongs
 * @param rank the number of this log among those that belong together, from 0
 * @param rankCount how many logs belong together
 */
public record LogIdentity(long id, long generation, int rank, int rankCount) {
  public LogIdentity {
    if (generation < 0) {
      throw new IllegalArgumentException("a generation is at least 0, not " + generation + ".");
    }
    if (rank < 0 || rank >= rankCount) {
      throw new IllegalArgumentException(
          String.format("rank %d of %d: ranks count from 0.", rank, rankCount));
    }
  }
}
