package dev.cairn.sion.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Walks a field list to learn where each field lies; nothing is read or written. */
public final class FieldMeter implements FieldIo {
  private final List<Field> fields = new ArrayList<>();
  private long position;

  /** A meter whose first field lies at {@code position}. */
  public FieldMeter(long position) {
    this.position = position;
  }

  /** Something made of fields. */
  @FunctionalInterface
  public interface FieldList {
    void walk(FieldIo io) throws IOException;
  }

  /** The bytes that a field list takes on disk. */
  public static long sizeOf(FieldList list) {
    FieldMeter meter = new FieldMeter(0);
    try {
      list.walk(meter);
    } catch (IOException impossible) {
      throw new AssertionError("a meter reads and writes nothing", impossible);
    }
    return meter.position;
  }

  /**
   * One field, or one row of equal fields.
   *
   * @param name its name
   * @param offset where it begins
   * @param size its bytes
   */
  public record Field(String name, long offset, long size) {}

  /** The fields so far, in their order on disk. */
  public List<Field> fields() {
    return List.copyOf(fields);
  }

  /** Where the next field would begin. */
  public long position() {
    return position;
  }

  @Override
  public void magic(String name, byte[] bytes) {
    add(name, bytes.length);
  }

  @Override
  public FormatVersion version(String name, FormatVersion value) {
    add(name, Integer.BYTES);
    return value;
  }

  @Override
  public int i32(String name, int value, Range range) {
    add(name, Integer.BYTES);
    return value;
  }

  @Override
  public long i64(String name, long value, Range range) {
    add(name, Long.BYTES);
    return value;
  }

  @Override
  public String text(String name, int width, String value) {
    add(name, width);
    return value;
  }

  @Override
  public void i64s(LongColumn column) throws IOException {
    add(column.name(), (long) Long.BYTES * column.count());
  }

  @Override
  public void i32Pairs(PairColumn column) {
    add(column.name(), 2L * Integer.BYTES * column.count());
  }

  private void add(String name, long size) {
    fields.add(new Field(name, position, size));
    position += size;
  }
}
