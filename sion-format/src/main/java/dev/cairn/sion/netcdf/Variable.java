package dev.cairn.sion.netcdf;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * An array in a file, or a single value if it has no dimensions. Immutable.
 *
 * @param name its name
 * @param type the type of its cells
 * @param dimensions its dimensions; along the last one neighbours are neighbours in the file. Only
 *     the first one may be unlimited
 * @param attributes what is said about it
 */
public record Variable(
    String name, NetcdfType type, List<Dimension> dimensions, List<Attribute> attributes) {
  static final Variable BLANK = new Variable("", NetcdfType.BYTE, List.of(), List.of());

  /** Refuses an unlimited dimension behind another, names that appear twice, and too many cells. */
  public Variable {
    dimensions = List.copyOf(dimensions);
    attributes = List.copyOf(attributes);
    Names.requireDistinct("attribute of variable " + name, attributes, Attribute::name);
    for (int number = 1; number < dimensions.size(); number++) {
      if (dimensions.get(number).isUnlimited()) {
        throw new IllegalArgumentException(
            String.format(
                "variable %s has the unlimited dimension %s as its number %d, but only the first"
                    + " one may be unlimited.",
                name, dimensions.get(number).name(), number));
      }
    }
    requireAddressable(name, type, dimensions);
  }

  private static void requireAddressable(String name, NetcdfType type, List<Dimension> dimensions) {
    long bytes = type.size();
    for (Dimension dimension : dimensions) {
      long length = Math.max(1, dimension.length());
      if (bytes > NetcdfFormat.CDF_5.mostLength() / length) {
        throw new IllegalArgumentException(
            String.format("variable %s is larger than 2^63 - 4 bytes.", name));
      }
      bytes *= length;
    }
  }

  /** Whether it has a part in each record. */
  public boolean isRecordVariable() {
    return !dimensions.isEmpty() && dimensions.get(0).isUnlimited();
  }

  /** The attribute of this name. */
  public Optional<Attribute> attribute(String name) {
    return attributes.stream().filter(attribute -> attribute.name().equals(name)).findFirst();
  }

  /** The bytes of its cells, in one record if it has a part in each. */
  long byteCount() {
    long bytes = type.size();
    for (Dimension dimension : dimensions) {
      bytes *= Math.max(1, dimension.length());
    }
    return bytes;
  }

  /** The same with the bytes behind the cells that make it a multiple of 4. */
  long paddedByteCount() {
    return Xdr.padded(byteCount());
  }

  /** The lengths of the dimensions when there are so many records. */
  long[] shape(long recordCount) {
    return dimensions.stream()
        .mapToLong(dimension -> dimension.isUnlimited() ? recordCount : dimension.length())
        .toArray();
  }

  /** The bytes that a file has for a cell that nothing was written to. */
  public ByteBuffer fillCell() {
    return fillValue().bytes();
  }

  /** The value of a cell that nothing was written to. */
  Cells fillValue() {
    Attribute fill =
        attribute(Attribute.FILL_VALUE)
            .filter(own -> own.type() == type && own.count() == 1)
            .orElseGet(() -> Attribute.of(Attribute.FILL_VALUE, type.defaultFill()));
    return Cells.of(type, fill.cells());
  }
}
