package dev.cairn.sion.log;

import dev.cairn.sion.failure.LogBreak;
import dev.cairn.sion.field.Misfit;
import dev.cairn.sion.file.CloseAll;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads a log, also one whose writer was stopped at any place. {@link #open} walks over all heads
 * and finds how far the log can be used; payloads are read and verified when they are asked for, in
 * frames of 1 MiB.
 *
 * <p>It keeps one segment open, and reads the records that were there when it was opened. One
 * thread at a time may use it and the cursors that come from it.
 */
public final class LogReader implements Closeable {
  private final SegmentReader segments;
  private final PayloadFrames frames;
  private final Path directory;
  private final List<Integer> numbers;
  private final Optional<LogIdentity> identity;
  private final State state;
  private long recordCount;
  private long payloadBytes;

  private LogReader(SegmentReader segments, Path directory, List<Integer> numbers)
      throws IOException {
    this.segments = segments;
    this.frames = new PayloadFrames(segments);
    this.directory = directory;
    this.numbers = numbers;
    LogWalk walk = walk();
    this.state = count(walk);
    this.identity = walk.log();
  }

  /**
   * Opens the log in {@code directory}. The caller closes it.
   *
   * <p>What does not fit is no failure: {@link #state} tells of it, and all records before it can
   * be read.
   *
   * @throws LogException.UnsupportedVersion if an earlier or a later release wrote it
   */
  public static LogReader open(BlockStore store, Path directory) throws IOException {
    List<Integer> numbers = SegmentNames.numbersIn(store, directory);
    SegmentReader segments = new SegmentReader(store);
    try {
      return new LogReader(segments, directory, numbers);
    } catch (IOException | RuntimeException | Error failure) {
      CloseAll.after(failure, segments);
      throw failure;
    }
  }

  private LogWalk walk() {
    return new LogWalk(segments, directory, numbers);
  }

  private State count(LogWalk walk) throws IOException {
    try {
      for (Optional<LogRecord> next = walk.next(); next.isPresent(); next = walk.next()) {
        recordCount++;
        payloadBytes += next.get().payloadSize();
      }
      return new State.Open();
    } catch (Misfit misfit) {
      return walk.stateAt(misfit);
    }
  }

  /** Whether {@code path} is a directory with a segment of a log, sound or not. */
  public static boolean isLog(BlockStore store, Path path) throws IOException {
    try {
      return !SegmentNames.numbersIn(store, path).isEmpty();
    } catch (NotDirectoryException file) {
      return false;
    }
  }

  /** The files of the log in {@code directory}, in their order; other files are none of it. */
  public static List<Path> segments(BlockStore store, Path directory) throws IOException {
    return SegmentNames.numbersIn(store, directory).stream()
        .map(number -> SegmentNames.path(directory, number))
        .toList();
  }

  /** How the log ends. */
  public State state() {
    return state;
  }

  /** Whose log it is; empty if its first segment has no whole head, and thus no records. */
  public Optional<LogIdentity> identity() {
    return identity;
  }

  /** How many records can be used. */
  public long recordCount() {
    return recordCount;
  }

  /** The bytes of the payloads of these records. */
  public long payloadBytes() {
    return payloadBytes;
  }

  /** A cursor before the first record. */
  public Cursor cursor() {
    return new Cursor(walk(), recordCount);
  }

  /**
   * Fills {@code target} with bytes of the payload of {@code record} from {@code position} on. They
   * were verified before.
   *
   * @throws LogException.DamagedPayload if a frame that holds some of them is damaged
   * @throws IndexOutOfBoundsException if the range reaches behind the end of the payload
   */
  public void read(LogRecord record, long position, ByteBuffer target) throws IOException {
    frames.read(record, position, target);
  }

  /** The text of a note, of which each byte that is no UTF-8 becomes U+FFFD. */
  public String text(LogRecord note) throws IOException {
    if (note.region().isPresent()) {
      throw new IllegalArgumentException(note + " is no note and has no text.");
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) note.payloadSize());
    read(note, 0, bytes);
    return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
  }

  /** Reads all payloads, and hands over the damage of each record that is damaged. */
  public void verify(Consumer<LogException.DamagedPayload> damage) throws IOException {
    Cursor cursor = cursor();
    while (cursor.advance()) {
      try {
        frames.verify(cursor.record());
      } catch (LogException.DamagedPayload damaged) {
        damage.accept(damaged);
      }
    }
  }

  /** Gives memory and the open file back; the next read takes them again. */
  public void rest() throws IOException {
    frames.clear();
    segments.rest();
  }

  /** After it, cursors and reads throw {@link java.nio.channels.ClosedChannelException}. */
  @Override
  public void close() throws IOException {
    frames.clear();
    segments.close();
  }

  /** How a log ends, as a reader found it. */
  public sealed interface State {

    /** Behind a whole record: its writer has ended, was stopped, or goes on. */
    record Open() implements State {}

    /** Within its last record, which is cut off by the end of the file: its writer was stopped. */
    record Torn(LogBreak at) implements State {}

    /** At a place that no writer leaves so, wherever it was stopped. */
    record Damaged(LogBreak at) implements State {}
  }

  /** Goes through the records of a log in their order. It uses the reader that it came from. */
  public static final class Cursor {
    private final LogWalk walk;
    private long left;
    private Optional<LogRecord> record = Optional.empty();

    /** A cursor over the first {@code recordCount} records. */
    Cursor(LogWalk walk, long recordCount) {
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
}
