package dev.cairn.examples.parts;

import dev.cairn.grid.Shape;
import dev.cairn.reading.StoredCheckpoints;
import dev.cairn.reading.StoredField;
import dev.cairn.reading.StoredSave;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads the checkpoints of a heat equation, which another program saved. */
public final class ReadingInJava {
  private ReadingInJava() {}

  // region list
  /** The steps of all good saves. */
  public static List<Long> steps(Path directory) throws IOException {
    return new StoredCheckpoints(directory)
        .saves().stream()
            .filter(StoredSave.Good.class::isInstance)
            .map(save -> ((StoredSave.Good) save).step())
            .toList();
  }

  // endregion

  // region row
  /** One row of the field, at a step of which there is a good checkpoint. */
  public static double[] row(Path directory, long step, long row) throws IOException {
    try (var checkpoint = new StoredCheckpoints(directory).openStep(step)) {
      StoredField u = checkpoint.field("u");
      return u.read(double[].class, Shape.of(1, u.shape().extent(1)).at(row, 0));
    }
  }

  // endregion
}
