package dev.cairn.sion.format;

/** What precedes the value of each record in a task's stream: its key and the value's length. */
public final class RecordHeader {
  /** Two integers of 8 bytes. */
  public static final int SIZE = 2 * Long.BYTES;

  private RecordHeader() {}
}
