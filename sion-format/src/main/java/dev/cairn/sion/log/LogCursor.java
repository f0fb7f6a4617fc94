package dev.cairn.sion.log;

import dev.cairn.sion.field.Misfit;
import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.Optional;

/** Goes through the records of a log in their order. It uses the reader that it came from. */
public final class LogCursor {
  private final LogWalk walk;
  private long left;
  private Optional<LogRecord> record = Optional.empty();

  /** A cursor over the first {@code recordCount} records. */
  LogCursor(LogWalk walk, long recordCount) {
    this.walk = walk;
    this.left = recordCount;
  }

  /**
   * Goes on to the next record; before the first call there is none.
   *
   * @return false behind the last record that can be used
   */
  public boolean advance() throws IOException {
    record = Optional.empty();
    if (left == 0) {
      return false;
    }
    record = Optional.of(next());
    left--;
    return true;
  }

  private LogRecord next() throws IOException {
    try {
      return walk.next().orElseThrow(() -> new Misfit(0, "the log ends"));
    } catch (Misfit misfit) {
      throw new LogException.Changed(walk.breakAt(misfit));
    }
  }

  /**
   * The record to which {@link #advance} went.
   *
   * @throws NoSuchElementException before the first and behind the last one
   */
  public LogRecord record() {
    return record.orElseThrow(
        () -> new NoSuchElementException("call advance first, as long as it returns true."));
  }
}
