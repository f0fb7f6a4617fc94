package dev.cairn.sion.log;

import dev.cairn.sion.head.Misfit;
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
  LogState stateAt(Misfit misfit) {
    boolean isTorn = misfit instanceof Cut && isLastSegment();
    return isTorn ? new LogState.Torn(breakAt(misfit)) : new LogState.Damaged(breakAt(misfit));
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
    if (end < SegmentHead.SIZE) {
      throw new Cut(
          position,
          "the head of a segment should have %d bytes, but the file ends at byte %d",
          SegmentHead.SIZE,
          end);
    }
    SegmentHead head = SegmentHead.decoded(path, segments.head(path, end, 0, SegmentHead.SIZE));
    if (head.segment() != number) {
      throw new Misfit(
          position,
          "the head of segment %d should be, but it is that of segment %d",
          number,
          head.segment());
    }
    if (log != null && !head.log().equals(log)) {
      throw new Misfit(
          position, "a segment of the same log should begin, but one of %s does", head.log());
    }
    if (head.firstSequence() != nextSequence) {
      throw new Misfit(
          position,
          "a segment that begins with record %d should begin, but one with record %d does",
          nextSequence,
          head.firstSequence());
    }
    return head;
  }

  private LogRecord record() throws IOException, Misfit {
    int size =
        RecordHead.sizeIn(
            segments.head(path, end, position, fitting("start", RecordHead.START_SIZE)));
    RecordHead head = RecordHead.decoded(segments.head(path, end, position, fitting("head", size)));
    requireNext(head);
    LogRecord record = new LogRecord(path, position, head);
    if (record.end() > end) {
      throw new Cut(
          position,
          "record %d should have %d bytes, but the segment ends at byte %d",
          nextSequence,
          head.recordSize(),
          end);
    }
    return record;
  }

  private int fitting(String part, int size) throws Misfit {
    if (size > end - position) {
      throw new Cut(
          position,
          "the %s of a record should have %d bytes, but the segment ends at byte %d",
          part,
          size,
          end);
    }
    return size;
  }

  private void requireNext(RecordHead head) throws Misfit {
    LogIdentity known = log().orElseThrow();
    if (head.id() != known.id() || head.sequence() != nextSequence) {
      throw new Misfit(
          position,
          "record %d of log %016x should begin, but record %d of log %016x does",
          nextSequence,
          known.id(),
          head.sequence(),
          head.id());
    }
  }
}
