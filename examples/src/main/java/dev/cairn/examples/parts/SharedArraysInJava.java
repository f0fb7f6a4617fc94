package dev.cairn.examples.parts;

import dev.cairn.event.RankFailedException;
import dev.cairn.grid.Box;
import dev.cairn.grid.Decomposition;
import dev.cairn.grid.Shape;
import dev.cairn.java.BlockingCommunicator;
import java.nio.file.Path;
import java.util.List;

/** A file of arrays in Java. */
public final class SharedArraysInJava {
  private SharedArraysInJava() {}

  // region java
  /**
   * Collective: writes counters that are dealt to the ranks, and returns the last one as read from
   * the file.
   */
  public static long writeCounters(BlockingCommunicator ranks, Path file, long count)
      throws RankFailedException {
    Shape shape = Shape.of(count);
    List<Box> blocks = Decomposition.rows(shape, ranks.size()).boxes(ranks.rank());
    Box own = blocks.isEmpty() ? Shape.of(0).box() : blocks.get(0);
    long[] counters = new long[(int) own.cellCount()];
    for (int index = 0; index < counters.length; index++) {
      counters[index] = own.start(0) + index;
    }
    ranks.writeArrays(file, arrays -> arrays.array("counters", shape, own, counters));

    Box last = Shape.of(1).at(count - 1);
    long[] found = new long[1];
    ranks.readArrays(file, arrays -> arrays.array("counters", shape, last, found));
    return found[0];
  }
  // endregion
}
