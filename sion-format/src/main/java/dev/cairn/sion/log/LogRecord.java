package dev.cairn.sion.log;

import java.nio.file.Path;
import java.util.Optional;

/**
 * One record of a log: cells that are put, or a note. Its payload, which has the values of the
 * cells or the text, stays in the file, from which {@link LogReader#read} reads.
 */
public final class LogRecord {
  private final Path file;
  private final long offset;
  private final RecordHead head;

  LogRecord(Path file, long offset, RecordHead head) {
    this.file = file;
    this.offset = offset;
    this.head = head;
  }

  /** Its number in the log, from 1. */
  public long sequence() {
    return head.sequence();
  }

  /** Which cells it puts; empty if it is a note. */
  public Optional<Region> region() {
    return head.region();
  }

  /** The bytes of its payload. */
  public long payloadSize() {
    return head.payloadSize();
  }

  /** The segment that holds it. */
  public Path file() {
    return file;
  }

  /** Where it begins in its segment. */
  public long offset() {
    return offset;
  }

  boolean isSameAs(LogRecord other) {
    return file.equals(other.file) && offset == other.offset;
  }

  RecordHead head() {
    return head;
  }

  long payloadOffset() {
    return offset + head.size();
  }

  /** Where the next record begins. */
  long end() {
    return offset + head.recordSize();
  }

  @Override
  public String toString() {
    return String.format(
        "record %d at byte %d of %s: %s",
        sequence(), offset, file, region().map(region -> "put of " + region).orElse("note"));
  }
}
