package dev.cairn.sion;

import dev.cairn.sion.format.RecordHeader;
import dev.cairn.sion.layout.LongIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import java.util.stream.IntStream;

/**
 * The records of one task: in the order in which they were written, and by key. Records with the
 * same key together are that key's value, one behind the other.
 *
 * <p>It reads through the view that it came from. Any number of threads may read at once.
 */
public final class RecordView {
  private final TaskView stream;
  private final LongIndex keys;

  /** Where each record's value ends in the stream, by record number. */
  private final long[] ends;

  private RecordView(TaskView stream, LongIndex keys, long[] ends) {
    this.stream = stream;
    this.keys = keys;
    this.ends = ends;
  }

  /** Walks over all headers in {@code stream}. */
  static RecordView of(TaskView stream) throws IOException {
    RecordScanner scanner = new RecordScanner(stream);
    LongIndex keys = new LongIndex(0);
    long[] ends = {};
    while (scanner.next()) {
      if (keys.count() == ends.length) {
        ends = Arrays.copyOf(ends, Math.max(8, 2 * ends.length));
      }
      ends[keys.count()] = scanner.valueEnd();
      keys.add(scanner.key());
    }
    return new RecordView(stream, keys, ends);
  }

  /** All records in order of writing. */
  public List<Entry> entries() {
    return new Entries();
  }

  /** The records of one key in order of writing; none if it never occurs. */
  public Iterable<Entry> entries(long key) {
    return () ->
        IntStream.iterate(keys.first(key), record -> record >= 0, keys::next)
            .mapToObj(this::entry)
            .iterator();
  }

  /** The different keys, in the order of their first records. */
  public long[] keys() {
    long[] found = new long[keys.count()];
    int count = 0;
    for (int record = 0; record < keys.count(); record++) {
      if (keys.first(keys.value(record)) == record) {
        found[count++] = keys.value(record);
      }
    }
    return Arrays.copyOf(found, count);
  }

  /** How many records the key has; 0 if it never occurs. */
  public int recordCount(long key) {
    int count = 0;
    for (int record = keys.first(key); record >= 0; record = keys.next(record)) {
      count++;
    }
    return count;
  }

  /** The length of the key's value: the sum over its records. */
  public long size(long key) {
    long size = 0;
    for (int record = keys.first(key); record >= 0; record = keys.next(record)) {
      size += length(record);
    }
    return size;
  }

  /**
   * Reads from the key's value, over record borders, until {@code target} is full or the value
   * ends.
   *
   * @return the number of bytes read, or -1 at or behind the end, also for a key that never occurs
   */
  public int read(long key, long position, ByteBuffer target) throws IOException {
    int start = target.position();
    long before = 0;
    for (int record = keys.first(key); record >= 0; record = keys.next(record)) {
      long end = before + length(record);
      long next = position + target.position() - start;
      if (next < end) {
        if (!target.hasRemaining()) {
          return target.position() - start;
        }
        read(entry(record), next - before, target);
      }
      before = end;
    }
    return target.position() == start ? -1 : target.position() - start;
  }

  /**
   * Reads from one of these records until {@code target} is full or the record ends.
   *
   * @param position counted from the start of the record's value, and not behind its end
   * @return the number of bytes read
   */
  public int read(Entry record, long position, ByteBuffer target) throws IOException {
    int end = target.limit();
    int count = (int) Math.min(target.remaining(), record.length() - position);
    target.limit(target.position() + count);
    try {
      stream.read(record.position() + position, target);
    } finally {
      target.limit(end);
    }
    return count;
  }

  /** The number, in {@link #entries()}, of the key's first record; -1 if it never occurs. */
  public int first(long key) {
    return keys.first(key);
  }

  /** The number, in {@link #entries()}, of the next record of the same key, or -1. */
  public int next(int record) {
    return keys.next(record);
  }

  private long length(int record) {
    long headerStart = record == 0 ? 0 : ends[record - 1];
    return ends[record] - headerStart - RecordHeader.SIZE;
  }

  private Entry entry(int record) {
    long length = length(record);
    return new Entry(keys.value(record), ends[record] - length, length);
  }

  /** The task that the records belong to. */
  @Override
  public String toString() {
    return stream.file() + ", task " + stream.task();
  }

  /**
   * One record.
   *
   * @param key its key, to be read as unsigned
   * @param position where its value begins in the task's stream
   * @param length the bytes of its value
   */
  public record Entry(long key, long position, long length) {}

  private final class Entries extends AbstractList<Entry> implements RandomAccess {
    @Override
    public Entry get(int record) {
      if (record < 0 || record >= size()) {
        throw new IndexOutOfBoundsException(record);
      }
      return entry(record);
    }

    @Override
    public int size() {
      return keys.count();
    }
  }
}
