package dev.cairn.sion.netcdf;

import dev.cairn.sion.field.FieldMeter;
import dev.cairn.sion.field.MemoryWriter;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The beginning of a file.
 *
 * @param recordCount the number of records, or {@link #STREAMING}
 * @param variables the variables with their places, in the order of their numbers
 */
record Header(
    NetcdfFormat format,
    long recordCount,
    List<Dimension> dimensions,
    List<Attribute> attributes,
    List<Placed> variables) {

  /** The number of records follows from the size of the file. */
  static final long STREAMING = -1;

  /** Where the number of records lies. */
  static final int RECORD_COUNT_OFFSET = 4;

  /** The initial value for reading. */
  static final Header BLANK = new Header(NetcdfFormat.CDF_1, 0, List.of(), List.of(), List.of());

  /**
   * A variable and its place.
   *
   * @param begin where its first cell lies
   */
  record Placed(Variable variable, long begin) {
    static final Placed BLANK = new Placed(Variable.BLANK, 0);
  }

  /** How many bytes it has; places and the number of records do not matter. */
  long size() {
    return FieldMeter.sizeOf(io -> new HeaderFields<>(io, format).walk(this));
  }

  /** The bytes on disk. */
  ByteBuffer encoded() {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(size()));
    new HeaderFields<>(new MemoryWriter(bytes), format).walk(this);
    return bytes.flip();
  }
}
