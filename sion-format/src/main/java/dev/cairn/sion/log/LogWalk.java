package dev.cairn.sion.log;

import dev.cairn.sion.failure.LogBreak;
import dev.cairn.sion.field.Misfit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Goes from record to record through the segments of a log, without reading payloads. */
final class LogWalk {
  private final SegmentReader segments;
  private final Path directory;

  /** The segments that there are, ascending. */
  private final List<Integer> numbers;

  private @Nullable LogIdentity log;
  private int number = -1;
  private Path path;
  private long position;
  private long end;
  private long nextSequence = 1;

  LogWalk(SegmentReader segments, Path directory, List<Integer> numbers) {
    this.segments = segments;
    this.directory = directory;
    this.path = directory;
    this.numbers = numbers;
  }

  /** Whose log it is; empty before the first call, and if the first segment has no sound head. */
  Optional<LogIdentity> log() {
    return Optional.ofNullable(log);
  }

  /** The next record; empty behind the last one. */
  Optional<LogRecord> next() throws IOException, Misfit {
    while (position == end) {
      if (number >= 0 && isLastSegment()) {
        return Optional.empty();
      }
      enter(number + 1);
    }
    LogRecord record = record();
    position = record.end();
    nextSequence++;
    return Optional.of(record);
  }

  /** The place that does not fit, after {@link #next} has thrown {@code misfit}. */
  LogBreak breakAt(Misfit misfit) {
    return new LogBreak(path, position, misfit.reason());
  }

  /** What {@code misfit} makes of the log: only its last segment can end with what is cut. */
  LogReader.State stateAt(Misfit misfit) {
    boolean isTorn = misfit instanceof Cut && isLastSegment();
    return isTorn
        ? new LogReader.State.Torn(breakAt(misfit))
        : new LogReader.State.Damaged(breakAt(misfit));
  }

  private boolean isLastSegment() {
    return numbers.isEmpty() || number == numbers.get(numbers.size() - 1);
  }

  private void enter(int next) throws IOException, Misfit {
    number = next;
    path = SegmentNames.path(directory, next);
    position = 0;
    end = 0;
    if (!numbers.contains(next)) {
      throw new Cut(position, "a segment should begin, but there is no such file");
    }
    end = segments.size(path);
    log = head().log();
    position = SegmentHead.SIZE;
  }

  private SegmentHead head() throws IOException, Misfit {
    requireThere("the head of a segment", SegmentHead.SIZE);
    SegmentHead head = SegmentHead.decoded(path, segments.head(path, end, 0, SegmentHead.SIZE));
    require(
        head.segment() == number, "segment %d should begin, but %d does", number, head.segment());
    boolean isOfLog = log == null || log.equals(head.log());
    require(isOfLog, "a segment of the same log should begin, but one of %s does", head.log());
    requireNext(head.firstSequence());
    return head;
  }

  private LogRecord record() throws IOException, Misfit {
    requireThere("the start of a record", RecordHead.START_SIZE);
    int size = RecordHead.sizeIn(segments.head(path, end, position, RecordHead.START_SIZE));
    requireThere("the head of a record", size);
    RecordHead head = RecordHead.decoded(segments.head(path, end, position, size));
    long id = log().orElseThrow().id();
    require(head.id() == id, "a record of log %016x should begin, not of %016x", id, head.id());
    requireNext(head.sequence());
    requireThere("the record", head.recordSize());
    return new LogRecord(path, position, head);
  }

  private void requireNext(long sequence) throws Misfit {
    require(
        sequence == nextSequence, "record %d should follow, but %d does", nextSequence, sequence);
  }

  @SuppressWarnings("AnnotateFormatMethod") // as in Cut
  private void require(boolean fits, String format, Object... arguments) throws Misfit {
    if (!fits) {
      throw new Misfit(position, format, arguments);
    }
  }

  private void requireThere(String part, long size) throws Cut {
    if (size > end - position) {
      throw new Cut(
          position, "%s should have %d bytes, but the segment ends at byte %d", part, size, end);
    }
  }
}
