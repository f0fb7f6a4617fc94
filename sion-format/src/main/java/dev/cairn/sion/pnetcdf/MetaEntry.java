package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.field.FieldIo;
import dev.cairn.sion.field.MemoryReader;
import dev.cairn.sion.field.MemoryWriter;
import dev.cairn.sion.field.Misfit;
import dev.cairn.sion.field.Range;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An entry of a metadata log as it lies there; {@link StagedPut} is what it means. Immutable. */
final class MetaEntry {
  /** The bytes before the boxes. */
  static final int FIXED_SIZE = 40;

  /** An entry is in memory as a whole. */
  static final int MOST_SIZE = 1 << 30;

  private static final MetaEntry BLANK = new MetaEntry(FIXED_SIZE, 0, 0, 0, 0, 0, 0, new long[0]);

  private final long size;
  private final int kind;
  private final int type;
  private final int variable;
  private final int dimensionCount;
  private final long dataOffset;
  private final long dataSize;
  private final long[] numbers;

  private MetaEntry(
      long size,
      int kind,
      int type,
      int variable,
      int dimensionCount,
      long dataOffset,
      long dataSize,
      long[] numbers) {
    this.size = size;
    this.kind = kind;
    this.type = type;
    this.variable = variable;
    this.dimensionCount = dimensionCount;
    this.dataOffset = dataOffset;
    this.dataSize = dataSize;
    this.numbers = numbers;
  }

  /** The order of the lines below is the order on disk. */
  private static <X extends Exception> MetaEntry fields(FieldIo<X> io, MetaEntry entry) throws X {
    long size = io.i64("esize", entry.size, new Range(FIXED_SIZE, MOST_SIZE));
    return new MetaEntry(
        size,
        io.i32("api_kind", entry.kind, Range.ANY),
        io.i32("itype", entry.type, Range.ANY),
        io.i32("varid", entry.variable, Range.atLeast(0)),
        io.i32("ndims", entry.dimensionCount, Range.atLeast(0)),
        io.i64("data_off", entry.dataOffset, Range.atLeast(0)),
        io.i64("data_len", entry.dataSize, Range.atLeast(0)),
        io.row64("the boxes", (int) (size - FIXED_SIZE) / Long.BYTES, entry.numbers));
  }

  /** The entry of a put. */
  static MetaEntry of(MetaHeader.Layout layout, StagedPut put) {
    PutBoxes boxes = put.boxes();
    return new MetaEntry(
        sizeOf(boxes.numbers()),
        boxes.kind().code(layout, boxes.boxCount()),
        put.type().code(),
        put.variable(),
        boxes.dimensionCount(),
        put.dataOffset(),
        put.dataSize(),
        boxes.numbers());
  }

  private static long sizeOf(long[] numbers) {
    return FIXED_SIZE + (long) Long.BYTES * numbers.length;
  }

  /** Its bytes. */
  long size() {
    return size;
  }

  /** The bytes on disk. */
  ByteBuffer encoded(ByteOrder order) {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(size)).order(order);
    fields(new MemoryWriter(bytes), this);
    return bytes.flip();
  }

  /** The entry that {@code bytes}, which begin at {@code position} of the log, hold. */
  static MetaEntry decoded(ByteBuffer bytes, long position) throws Misfit {
    return fields(new MemoryReader(bytes, position), BLANK);
  }

  /**
   * The put that the entry describes.
   *
   * @throws IllegalArgumentException if no put has such an entry
   */
  StagedPut put(MetaHeader.Layout layout) {
    require("esize", sizeOf(numbers), size);
    StagedPut.MemoryType memory =
        StagedPut.MemoryType.of(type)
            .orElseThrow(
                () -> new IllegalArgumentException("itype should be a type, but is " + type));
    PutBoxes boxes = PutBoxes.Kind.boxes(layout, kind, dimensionCount, numbers);
    StagedPut put = new StagedPut(variable, memory, boxes, dataOffset);
    require("data_len", put.dataSize(), dataSize);
    return put;
  }

  private static void require(String name, long expected, long found) {
    if (found != expected) {
      throw new IllegalArgumentException(
          String.format("%s should be %d, but is %d", name, expected, found));
    }
  }
}
