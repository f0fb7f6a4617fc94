package dev.cairn.sion.log;

import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes a log. Each call appends one record and returns its sequence number; the {@link
 * LogForcePolicy} of the log says when a power failure can no longer take it away.
 *
 * <p>An append that fails leaves the log as it was, and the next one goes on behind the last whole
 * record, in a new segment if the old one cannot be cut there. Only if the process ends right after
 * an append failed, a reader may still find its record.
 *
 * <p>One thread at a time may use it. The caller closes it; a log that was not sealed before stays
 * open for ever.
 */
public final class LogWriter implements Closeable {
  private final BlockStore store;
  private final Path directory;
  private final LogSpec spec;
  private final LogProgress progress = new LogProgress();
  private SegmentWriter segment;
  private @Nullable IOException loss;

  private LogWriter(BlockStore store, Path directory, LogSpec spec) throws IOException {
    this.store = store;
    this.directory = directory;
    this.spec = spec;
    this.segment = newSegment(0, 0);
  }

  /**
   * Creates a log in {@code directory}, which exists and holds none; making its own name durable is
   * up to the caller.
   *
   * @throws FileAlreadyExistsException if a log is there already
   */
  public static LogWriter create(BlockStore store, Path directory, LogSpec spec)
      throws IOException {
    List<Integer> numbers = SegmentNames.numbersIn(store, directory);
    if (!numbers.isEmpty()) {
      throw new FileAlreadyExistsException(
          SegmentNames.path(directory, numbers.get(0)).toString(),
          null,
          "a log is there already: read or delete it first, or write to another directory");
    }
    return new LogWriter(store, directory, spec);
  }

  /**
   * Appends a put that belongs to no collective. The payload is in {@code buffers}, one behind the
   * other; they stay as they are.
   *
   * @throws IllegalArgumentException if the payload has not as many bytes as the region, or the
   *     head would exceed 1 MiB
   * @throws IllegalStateException between the puts and the end of a collective
   */
  public long put(Region region, ByteBuffer... buffers) throws IOException {
    return put(LogEntry.INDEPENDENT, region, buffers);
  }

  /** Appends a put of the collective that {@link #endCollective} ends next; otherwise as put. */
  public long putCollectively(Region region, ByteBuffer... buffers) throws IOException {
    return put(progress.lastCollective() + 1, region, buffers);
  }

  private long put(long collective, Region region, ByteBuffer... buffers) throws IOException {
    PayloadBytes payload = new PayloadBytes(buffers);
    if (payload.size() != region.byteCount()) {
      throw new IllegalArgumentException(
          String.format(
              "a put of %d bytes should have a payload of as many, not of %d.",
              region.byteCount(), payload.size()));
    }
    return append(new LogEntry.Put(collective, region), payload);
  }

  /** Ends a collective, on every rank that took part, also if it has put nothing. */
  public long endCollective() throws IOException {
    return append(new LogEntry.Collective(progress.lastCollective() + 1), PayloadBytes.NONE);
  }

  /** Cancels the put that has the number {@code sequence}. */
  public long cancel(long sequence) throws IOException {
    return append(new LogEntry.Cancel(sequence), PayloadBytes.NONE);
  }

  /** Ends an epoch, whose number is larger than that of the one before. */
  public long barrier(long epoch) throws IOException {
    return append(new LogEntry.Barrier(epoch), PayloadBytes.NONE);
  }

  /** Notes a text of at most 65,536 bytes in UTF-8. */
  public long note(String text) throws IOException {
    PayloadBytes payload = new PayloadBytes(StandardCharsets.UTF_8.encode(text));
    if (payload.size() > LogFormat.MOST_NOTE_SIZE) {
      throw new IllegalArgumentException(
          String.format(
              "a note has at most %d bytes, not %d.", LogFormat.MOST_NOTE_SIZE, payload.size()));
    }
    return append(new LogEntry.Note(), payload);
  }

  /**
   * Completes the log, after which it takes no more records. If that fails it can be tried again,
   * unless {@link LogException.RecordsLost} was thrown.
   */
  public void seal() throws IOException {
    requireNothingLost();
    forceRecords();
    append(progress.seal(), PayloadBytes.NONE);
  }

  private long append(LogEntry entry, PayloadBytes payload) throws IOException {
    requireNothingLost();
    Optional<String> objection = progress.objection(entry);
    if (objection.isPresent()) {
      throw new IllegalStateException(directory + ": " + objection.get() + ".");
    }
    RecordHead head = RecordHead.of(spec.log(), progress.nextSequence(), entry, payload);
    SegmentWriter target = segmentFor(head.recordSize());
    progress.add(
        isForced(entry) ? target.appendForced(head, payload) : target.append(head, payload));
    return head.sequence();
  }

  private boolean isForced(LogEntry entry) {
    return switch (spec.forcePolicy()) {
      case NEVER -> false;
      case ON_SEAL -> entry instanceof LogEntry.Seal;
      case ON_RECORD -> true;
    };
  }

  private SegmentWriter segmentFor(long recordSize) throws IOException {
    SegmentWriter current = segment;
    boolean isFull = !current.isEmpty() && recordSize > spec.segmentLimit() - current.end();
    if (isFull || current.isAbandoned()) {
      forceRecords();
      segment = newSegment(current.number() + 1, current.end());
      current.close();
    }
    return segment;
  }

  private SegmentWriter newSegment(int number, long previousEnd) throws IOException {
    SegmentWriter next = SegmentWriter.create(store, directory, number);
    try {
      next.begin(
          new SegmentHead(
              spec.forcePolicy(), number, spec.log(), progress.nextSequence(), previousEnd));
      if (spec.forcePolicy() != LogForcePolicy.NEVER) {
        next.force(); // or a crash could leave a seal without the head of its segment: damage
        store.forceDirectory(directory);
      }
    } catch (IOException | RuntimeException | Error failure) {
      next.discard(store, failure);
      throw failure;
    }
    return next;
  }

  /** With {@link LogForcePolicy#ON_RECORD} they are forced already. */
  private void forceRecords() throws IOException {
    if (spec.forcePolicy() == LogForcePolicy.ON_SEAL) {
      try {
        segment.force();
      } catch (IOException failure) {
        loss = failure;
        requireNothingLost();
      }
    }
  }

  private void requireNothingLost() throws LogException.RecordsLost {
    IOException reason = loss;
    if (reason != null) {
      throw new LogException.RecordsLost(segment.path(), reason);
    }
  }

  @Override
  public void close() throws IOException {
    segment.close();
  }
}
