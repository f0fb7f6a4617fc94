package dev.cairn.sion.field;

import java.util.ArrayList;
import java.util.List;

/** Walks a field list to learn where each field lies; nothing is read or written. */
public final class FieldMeter implements FieldIo<RuntimeException> {
  private final List<Field> fields = new ArrayList<>();
  private long position;

  /** A meter whose first field lies at {@code position}. */
  public FieldMeter(long position) {
    this.position = position;
  }

  /** The bytes that a field list takes on disk. */
  public static long sizeOf(FieldList list) {
    FieldMeter meter = new FieldMeter(0);
    list.walk(meter);
    return meter.position;
  }

  /** Something made of fields. */
  @FunctionalInterface
  public interface FieldList {
    void walk(FieldIo<RuntimeException> io);
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

  @Override
  public long position() {
    return position;
  }

  @Override
  public void constant(String name, byte[] bytes) {
    add(name, bytes.length);
  }

  @Override
  public int i32(String name, int value, Range range) {
    add(name, Integer.BYTES);
    return value;
  }

  @Override
  public long u32(String name, long value) {
    add(name, Integer.BYTES);
    return value;
  }

  @Override
  public long i64(String name, long value, Range range) {
    add(name, Long.BYTES);
    return value;
  }

  @Override
  public int i32At(String row, int index, int value, Range range) {
    addAt(row, index, Integer.BYTES);
    return value;
  }

  @Override
  public long i64At(String row, int index, long value, Range range) {
    addAt(row, index, Long.BYTES);
    return value;
  }

  @Override
  public byte[] bytes(String name, int count, byte[] value) {
    add(name, count);
    return value;
  }

  @Override
  public void require(String part, long byteCount) {
    // A meter takes no memory.
  }

  @Override
  public RuntimeException unexpected(long position, String name, String expected, String found) {
    throw new AssertionError(name + " should be " + expected + ", but is " + found);
  }

  @Override
  public RuntimeException misfit(long position, String sentence) {
    throw new AssertionError(sentence);
  }

  private void add(String name, long size) {
    fields.add(new Field(name, position, size));
    position += size;
  }

  /** What follows in a row belongs to its first element. */
  private void addAt(String row, int index, long size) {
    if (index == 0) {
      add(row, size);
      return;
    }
    Field last = fields.remove(fields.size() - 1);
    fields.add(new Field(last.name(), last.offset(), last.size() + size));
    position += size;
  }
}
