package dev.cairn.sion.log;

import java.io.IOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Goes through the records of a log in their order. It uses the reader that it came from. */
public final class LogCursor {
  private final ReadAhead bytes;
  private final LogIdentity log;
  private final Iterator<LogScan.SegmentPart> parts;
  private @Nullable SegmentWalk walk;
  private @Nullable LogRecord record;
  private long nextSequence = 1;

  LogCursor(ReadAhead bytes, LogIdentity log, Iterator<LogScan.SegmentPart> parts) {
    this.bytes = bytes;
    this.log = log;
    this.parts = parts;
  }

  /**
   * Goes on to the next record; before the first call there is none.
   *
   * @return false behind the last record that can be used
   */
  public boolean advance() throws IOException {
    record = null;
    SegmentWalk current = walk;
    while (current == null || !current.hasMore()) {
      if (!parts.hasNext()) {
        return false;
      }
      LogScan.SegmentPart part = parts.next();
      current = new SegmentWalk(bytes, part.path(), part.end(), log);
      walk = current;
    }
    record = next(current);
    nextSequence++;
    return true;
  }

  private LogRecord next(SegmentWalk current) throws IOException {
    try {
      LogRecord found = current.record(nextSequence);
      current.stepOver(found);
      return found;
    } catch (Misfit misfit) {
      throw new LogException.Changed(
          new LogBreak(current.path(), current.position(), misfit.reason()));
    }
  }

  /**
   * The record to which {@link #advance} went.
   *
   * @throws NoSuchElementException before the first and behind the last one
   */
  public LogRecord record() {
    LogRecord current = record;
    if (current == null) {
      throw new NoSuchElementException("call advance first, as long as it returns true.");
    }
    return current;
  }
}
