package dev.cairn.sion.log;

import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Walks once over the heads of a log, to find its state and how far it can be used. Payloads are
 * not read.
 */
final class LogScan {
  private final Path directory;
  private final OpenSegment open;
  private final ReadAhead bytes;
  private final List<FoundSegment> found = new ArrayList<>();
  private final @Nullable SegmentHead first;
  private final List<SegmentPart> parts = new ArrayList<>();
  private final LogProgress progress = new LogProgress();
  private final Cancellations cancellations = new Cancellations();
  private final LogState state;

  /**
   * What can be used of a segment.
   *
   * @param path its file
   * @param end where its last whole record ends
   */
  record SegmentPart(Path path, long end) {}

  /** The log ends at {@code offset} of the segment {@code number}, where something else follows. */
  private static final class Broken extends Exception {
    private static final long serialVersionUID = 1L;

    private final int number;
    private final long offset;
    private final transient Misfit misfit;

    Broken(int number, long offset, Misfit misfit) {
      super(misfit.reason(), misfit, false, false);
      this.number = number;
      this.offset = offset;
      this.misfit = misfit;
    }
  }

  LogScan(BlockStore store, Path directory, OpenSegment open, ReadAhead bytes) throws IOException {
    this.directory = directory;
    this.open = open;
    this.bytes = bytes;
    for (int number : SegmentNames.numbersIn(store, directory)) {
      found.add(FoundSegment.read(open, bytes, directory, number));
    }
    first = found.isEmpty() || found.get(0).number() > 0 ? null : found.get(0).head();
    state = scan();
  }

  LogState state() {
    return state;
  }

  /** In their order; together they have the records that can be used. */
  List<SegmentPart> parts() {
    return parts;
  }

  LogProgress progress() {
    return progress;
  }

  /** The head of segment 0; empty if it does not fit. */
  Optional<SegmentHead> first() {
    return Optional.ofNullable(first);
  }

  Cancellations cancellations() {
    return cancellations;
  }

  private LogState scan() throws IOException {
    try {
      int number = 0;
      do {
        walk(segment(number++));
      } while (number < found.size() && !progress.isSealed());
      requireNoHeadFrom(number);
      return progress.isSealed() ? new LogState.Sealed() : new LogState.Open();
    } catch (Broken broken) {
      Path path = SegmentNames.path(directory, broken.number);
      LogBreak at = new LogBreak(path, broken.offset, broken.misfit.reason());
      return wentOn(broken) ? new LogState.Damaged(at) : new LogState.Torn(at);
    }
  }

  private FoundSegment segment(int number) throws Broken {
    if (number == found.size() || found.get(number).number() != number) {
      throw new Broken(number, 0, new Misfit("a segment should begin, but there is no such file"));
    }
    return found.get(number);
  }

  private void walk(FoundSegment segment) throws IOException, Broken {
    LogIdentity log = checkedHead(segment).log();
    long end = endOf(segment);
    SegmentWalk walk = new SegmentWalk(bytes, segment.path(), Math.min(end, segment.size()), log);
    try {
      while (walk.hasMore()) {
        LogRecord record = walk.record(progress.nextSequence());
        add(record);
        walk.stepOver(record);
      }
      requireEnd(walk.position(), end);
    } catch (Misfit misfit) {
      throw new Broken(segment.number(), walk.position(), misfit);
    } finally {
      parts.add(new SegmentPart(segment.path(), walk.position()));
    }
  }

  private SegmentHead checkedHead(FoundSegment segment) throws Broken {
    try {
      SegmentHead head = segment.checkedHead();
      if (!belongs(head)) {
        throw new Misfit("a segment of the same log should begin, but one of %s does", head.log());
      }
      if (head.firstSequence() != progress.nextSequence()) {
        throw new Misfit(
            "a segment that begins with record %d should begin, but one with record %d does",
            progress.nextSequence(), head.firstSequence());
      }
      return head;
    } catch (Misfit misfit) {
      throw new Broken(segment.number(), 0, misfit);
    }
  }

  private boolean belongs(SegmentHead head) {
    return first == null || (head.log().equals(first.log()) && head.policy() == first.policy());
  }

  /** Only the next segment says where a segment ends, since its writer may have had to leave it. */
  private long endOf(FoundSegment segment) {
    return found.stream()
        .filter(next -> next.number() == segment.number() + 1)
        .flatMap(next -> Stream.ofNullable(next.head()))
        .filter(this::belongs)
        .mapToLong(SegmentHead::previousEnd)
        .findFirst()
        .orElse(segment.size());
  }

  private void add(LogRecord record) throws Misfit {
    Optional<String> objection = progress.objection(record.entry());
    if (objection.isPresent()) {
      throw new Misfit.Illegal("%s", objection.get());
    }
    progress.add(record.head());
    if (record.entry() instanceof LogEntry.Cancel cancel) {
      cancellations.add(cancel.sequence());
    }
  }

  private static void requireEnd(long position, long end) throws Misfit {
    if (position != end) {
      throw new Misfit(
          "the records should go on until byte %d, as the next segment says, but do not", end);
    }
  }

  private void requireNoHeadFrom(int number) throws Broken {
    if (hasHeadFrom(number)) {
      throw new Broken(number, 0, new Misfit("nothing should follow a seal, but a segment does"));
    }
  }

  /** Whether the log shows that its writer wrote something behind the place where it breaks. */
  private boolean wentOn(Broken broken) throws IOException {
    return broken.misfit instanceof Misfit.Illegal
        || progress.isSealed()
        || hasHeadFrom(broken.number + 1)
        || hasSealFrom(broken.number, broken.offset);
  }

  private boolean hasHeadFrom(int number) {
    return found.stream()
        .filter(segment -> segment.number() >= number)
        .flatMap(segment -> Stream.ofNullable(segment.head()))
        .anyMatch(this::belongs);
  }

  private boolean hasSealFrom(int number, long offset) throws IOException {
    SealSearch search = new SealSearch(open, this::belongs);
    for (FoundSegment segment : found) {
      if (segment.number() >= number
          && search.finds(segment, segment.number() == number ? offset : 0)) {
        return true;
      }
    }
    return false;
  }

  private boolean belongs(RecordHead head) {
    return first == null
        || (head.id() == first.log().id() && head.generation() == first.log().generation());
  }
}
