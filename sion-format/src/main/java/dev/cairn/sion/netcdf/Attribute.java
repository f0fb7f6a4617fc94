package dev.cairn.sion.netcdf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A text or some numbers that say something about a file or a variable. Immutable. */
public final class Attribute {
  /** The value of cells that nothing was written to. */
  public static final String FILL_VALUE = "_FillValue";

  /** The most bytes of its values, which are in memory as long as a file is open. */
  static final int MOST_BYTES = 1 << 26;

  static final Attribute BLANK = new Attribute("", NetcdfType.BYTE, ByteBuffer.allocate(0));

  private final String name;
  private final NetcdfType type;
  private final ByteBuffer cells;

  private Attribute(String name, NetcdfType type, ByteBuffer cells) {
    this.name = name;
    this.type = type;
    this.cells = cells.asReadOnlyBuffer();
  }

  /** An attribute of the type of {@code values}, which are copied. */
  public static Attribute of(String name, Values values) {
    Cells cells =
        Cells.of(
            values.type(),
            ByteBuffer.allocate(Math.multiplyExact(values.count(), values.type().size())));
    Conversion.write(values, 0, cells);
    return new Attribute(name, values.type(), cells.bytes());
  }

  /** A text, in UTF-8. */
  public static Attribute of(String name, String text) {
    return of(name, Values.ofText(text));
  }

  /** As it is in a file; {@code cells} are of this type, and are not changed any more. */
  static Attribute ofCells(String name, NetcdfType type, ByteBuffer cells) {
    return new Attribute(name, type, cells);
  }

  public String name() {
    return name;
  }

  public NetcdfType type() {
    return type;
  }

  /** How many numbers or characters it has. */
  public int count() {
    return cells.remaining() / type.size();
  }

  /**
   * The text, of which each byte that is no UTF-8 becomes U+FFFD.
   *
   * @throws IllegalStateException if it holds numbers
   */
  public String text() {
    requireText(true);
    return StandardCharsets.UTF_8.decode(cells()).toString();
  }

  /**
   * The numbers; those of 8 bytes may be rounded.
   *
   * @throws IllegalStateException if it holds a text
   */
  public double[] doubles() {
    requireText(false);
    double[] numbers = new double[count()];
    Conversion.read(Cells.of(type, cells()), Values.of(numbers), 0);
    return numbers;
  }

  /**
   * The integers; those of {@link NetcdfType#UINT64} are to be taken as unsigned.
   *
   * @throws IllegalStateException if it holds floating numbers or a text
   */
  public long[] longs() {
    requireText(false);
    if (type.isFloating()) {
      throw new IllegalStateException(
          String.format("attribute %s holds numbers of type %s: ask for doubles.", name, type));
    }
    long[] numbers = new long[count()];
    Conversion.read(Cells.of(type, cells()), Values.of(numbers), 0);
    return numbers;
  }

  /** The values as they are in a file, big-endian and without padding. */
  ByteBuffer cells() {
    return cells.duplicate();
  }

  private void requireText(boolean isExpected) {
    if (isExpected != (type == NetcdfType.CHAR)) {
      throw new IllegalStateException(
          String.format(
              "attribute %s holds %s: ask for %s.",
              name, isExpected ? "numbers" : "a text", isExpected ? "numbers" : "its text"));
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Attribute that
        && name.equals(that.name)
        && type == that.type
        && cells.equals(that.cells);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + cells.hashCode();
  }

  @Override
  public String toString() {
    return String.format("%s (%d of type %s)", name, count(), type);
  }
}
