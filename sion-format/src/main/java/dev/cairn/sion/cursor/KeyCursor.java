package dev.cairn.sion.cursor;

import dev.cairn.sion.RecordView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * A reader's position in each key of a task's records. It reads as the C library does, record by
 * record, and so sees the borders that {@link RecordView#read} hides. Keys do not disturb each
 * other, and a call that throws leaves all of them where they were.
 *
 * <p>As an iterator it walks over all records in order of writing; the key of each one found then
 * stands at that record's start.
 *
 * <p>One thread at a time. It owns nothing, so any number of them can read one task.
 */
public final class KeyCursor implements Iterator<RecordView.Entry> {
  private final RecordView records;

  /** The position of a key, unless it is the start of its first record. */
  private final Map<Long, Spot> spots = new HashMap<>();

  private int walked;

  private KeyCursor(RecordView records) {
    this.records = records;
  }

  /** A cursor at the start of every key. */
  public static KeyCursor over(RecordView records) {
    return new KeyCursor(records);
  }

  /** The records that it reads. */
  public RecordView records() {
    return records;
  }

  /** Lets the walk over all records begin again; no key moves. */
  public void reset() {
    walked = 0;
  }

  @Override
  public boolean hasNext() {
    return walked < records.entries().size();
  }

  @Override
  public RecordView.Entry next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the walk has passed the last record: reset it.");
    }
    RecordView.Entry entry = entry(walked);
    spots.put(entry.key(), new Spot(walked, 0));
    walked++;
    return entry;
  }

  /** The bytes left in the record in which the key stands; 0 at its end. */
  public long bytesLeft(long key) {
    Spot spot = spot(key);
    return spot.isEnd() ? 0 : length(spot.record) - spot.position;
  }

  /** Whether all records of the key have been read, empty ones too, or there never were any. */
  public boolean isAtEnd(long key) {
    return spot(key).isEnd();
  }

  /**
   * Reads until {@code target} is full or the key's record ends; then the key stands at the start
   * of its next one. An empty record is read like any other, and gives 0 bytes.
   *
   * @return the number of bytes read, or -1 at the end of the key, also if it never occurs
   */
  public int read(long key, ByteBuffer target) throws IOException {
    Spot spot = spot(key);
    if (!target.hasRemaining()) {
      return 0;
    }
    if (spot.isEnd()) {
      return -1;
    }
    int count = records.read(entry(spot.record), spot.position, target);
    long reached = spot.position + count;
    boolean whole = reached == length(spot.record);
    spots.put(key, whole ? new Spot(records.next(spot.record), 0) : new Spot(spot.record, reached));
    return count;
  }

  /**
   * Goes to a position before the end of one of the key's records, or to the start of an empty one.
   *
   * @param number counts the key's records from 0
   * @throws IllegalArgumentException if the key has no such record, or the record no such position
   */
  public void seek(long key, int number, long position) {
    int record = recordOf(key, number);
    if (record < 0) {
      throw new IllegalArgumentException(
          String.format(
              "%s: key %s has %d records, but number %d, counted from 0, was asked for.",
              records, Long.toUnsignedString(key), records.recordCount(key), number));
    }
    long length = length(record);
    if (position < 0 || position >= Math.max(1, length)) {
      throw new IllegalArgumentException(
          String.format(
              "%s: record %d of key %s has %d bytes, so it has no position %d.",
              records, number, Long.toUnsignedString(key), length, position));
    }
    spots.put(key, new Spot(record, position));
  }

  /**
   * Goes to a position of the key's value, which is that of all its records together. The border of
   * two records is the start of the later one.
   *
   * @throws IllegalArgumentException if the value has no byte there
   */
  public void seekAbsolute(long key, long position) {
    long left = position;
    int record = records.first(key);
    while (record >= 0 && left >= length(record)) {
      left -= length(record);
      record = records.next(record);
    }
    if (position < 0 || record < 0) {
      throw new IllegalArgumentException(
          String.format(
              "%s: the records of key %s have %d bytes together, so there is no position %d.",
              records, Long.toUnsignedString(key), records.size(key), position));
    }
    spots.put(key, new Spot(record, left));
  }

  /** The key's record of this number, counted from 0, or -1. */
  private int recordOf(long key, int number) {
    int record = number < 0 ? -1 : records.first(key);
    for (int before = 0; before < number && record >= 0; before++) {
      record = records.next(record);
    }
    return record;
  }

  private long length(int record) {
    return entry(record).length();
  }

  private RecordView.Entry entry(int record) {
    return records.entries().get(record);
  }

  private Spot spot(long key) {
    Spot moved = spots.get(key);
    return moved == null ? new Spot(records.first(key), 0) : moved;
  }

  /** A place before a record's end, or at the start of an empty record; behind the last one: -1. */
  private record Spot(int record, long position) {
    boolean isEnd() {
      return record < 0;
    }
  }
}
