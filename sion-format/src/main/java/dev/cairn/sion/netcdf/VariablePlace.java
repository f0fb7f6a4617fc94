package dev.cairn.sion.netcdf;

import dev.cairn.sion.stripe.Hyperslab;
import dev.cairn.sion.stripe.Selection;
import dev.cairn.sion.stripe.StoredArray;
import java.util.Arrays;

/**
 * Where the cells of a variable lie: pure arithmetic.
 *
 * @param variable the variable
 * @param begin where its first cell lies
 * @param recordDistance the bytes from its part in a record to that in the next one; for a variable
 *     without records its own bytes
 * @param padding the bytes behind its cells, or behind those of a record
 */
record VariablePlace(Variable variable, long begin, long recordDistance, int padding) {

  /** The bytes of a section that names all dimensions and is within the variable. */
  Selection extents(Hyperslab section, long recordCount) {
    // A last dimension of length 1, which no section names, makes arrays also of single cells.
    long[] shape = variable.shape(recordCount);
    long[] longer = Arrays.copyOf(shape, shape.length + 1);
    longer[shape.length] = 1;
    return array(longer).hyperslab(section);
  }

  private StoredArray array(long[] shape) {
    int cellSize = variable.type().size();
    return variable.isRecordVariable()
        ? StoredArray.ofRecords(begin, cellSize, recordDistance, shape)
        : StoredArray.of(begin, cellSize, shape);
  }

  /** Where its last cell ends when there are so many records, or where it begins if it has none. */
  long end(long recordCount) {
    Hyperslab whole = Hyperslab.WHOLE.within(variable.name(), variable.shape(recordCount));
    return whole.isEmpty() ? begin : end(whole);
  }

  /** Where the last cell of a section ends that is not empty. */
  long end(Hyperslab section) {
    long cell = 0;
    long distance = variable.type().size();
    for (int dimension = section.dimensionCount() - 1; dimension >= 0; dimension--) {
      boolean isRecords = dimension == 0 && variable.isRecordVariable();
      cell += section.last(dimension) * (isRecords ? recordDistance : distance);
      distance *= Math.max(1, variable.dimensions().get(dimension).length());
    }
    return begin + cell + variable.type().size();
  }

  /** Whether padding follows cells that end here. */
  boolean isBeforePadding(long end) {
    return padding > 0 && (end - begin) % recordDistance == variable.byteCount() % recordDistance;
  }
}
