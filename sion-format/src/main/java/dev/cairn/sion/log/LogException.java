package dev.cairn.sion.log;

import dev.cairn.sion.failure.LogBreak;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A log that cannot be read or written as was asked. The message says which file, what was expected
 * and found, and what to do now. Failures of the store stay its {@link IOException}.
 */
public abstract sealed class LogException extends IOException
    permits LogException.DamagedPayload, LogException.UnsupportedVersion, LogException.Changed {
  private static final long serialVersionUID = 1L;

  private LogException(Path segment, String sentence) {
    super(segment + ": " + sentence);
  }

  /** A part of one payload has another checksum than it had when it was written. */
  public static final class DamagedPayload extends LogException {
    private static final long serialVersionUID = 1L;

    private final long sequence;

    DamagedPayload(LogRecord record, long offset, int expected, int found) {
      super(
          record.file(),
          String.format(
              "the payload of record %d should have the CRC32C %08x in its part at byte %d, but has"
                  + " %08x. This record is damaged: use another copy of the log, or leave this"
                  + " record out.",
              record.sequence(), expected, offset, found));
      this.sequence = record.sequence();
    }

    /** The number of the damaged record. */
    public long sequence() {
      return sequence;
    }
  }

  /** The log was written in a version of the format that this library does not read. */
  public static final class UnsupportedVersion extends LogException {
    private static final long serialVersionUID = 1L;

    UnsupportedVersion(Path file, int found) {
      super(
          file,
          String.format(
              "the log has the format version %d, but only version %d can be read. Read it with the"
                  + " release of Cairn that wrote it.",
              found, LogFormat.VERSION));
    }
  }

  /** A log is no longer as it was when the reader opened it. */
  public static final class Changed extends LogException {
    private static final long serialVersionUID = 1L;

    Changed(LogBreak at) {
      super(
          at.file(),
          String.format(
              "at byte %d %s, although there was a whole record before. Another program changes"
                  + " this log: read a copy of it, or let that program end first.",
              at.offset(), at.reason()));
    }
  }
}
