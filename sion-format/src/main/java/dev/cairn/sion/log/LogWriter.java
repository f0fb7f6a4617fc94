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

/**
 * Writes a log. Each call appends one record and returns its sequence number, which is how many
 * records there are then. Nothing is forced, so a power failure can leave anything.
 *
 * <p>An append that fails leaves the log as it was. If what it has written cannot be cut off, the
 * log takes no more records: each later append throws the same exception, and a reader may find the
 * record of the first one, or a torn end.
 *
 * <p>One thread at a time may use it. The caller closes it.
 */
public final class LogWriter implements Closeable {
  /** A larger record has a segment of its own. */
  private static final long USUAL_SEGMENT_LIMIT = 256L << 20;

  private final BlockStore store;
  private final Path directory;
  private final LogIdentity log;
  private final long segmentLimit;
  private long recordCount;
  private SegmentWriter segment;

  private LogWriter(BlockStore store, Path directory, LogIdentity log, long segmentLimit)
      throws IOException {
    this.store = store;
    this.directory = directory;
    this.log = log;
    this.segmentLimit = segmentLimit;
    this.segment = newSegment(0);
  }

  /**
   * Creates a log of segments of 256 MiB in {@code directory}, which exists and holds none.
   *
   * @throws FileAlreadyExistsException if a log is there already
   */
  public static LogWriter create(BlockStore store, Path directory, LogIdentity log)
      throws IOException {
    return create(store, directory, log, USUAL_SEGMENT_LIMIT);
  }

  /** The same with segments of at most {@code segmentLimit} bytes that have several records. */
  static LogWriter create(BlockStore store, Path directory, LogIdentity log, long segmentLimit)
      throws IOException {
    List<Path> segments = LogReader.segments(store, directory);
    if (!segments.isEmpty()) {
      throw new FileAlreadyExistsException(
          segments.get(0).toString(),
          null,
          "a log is there already: read or delete it first, or write to another directory");
    }
    return new LogWriter(store, directory, log, segmentLimit);
  }

  /**
   * Appends a put. The payload is in {@code buffers}, one behind the other; they stay as they are.
   *
   * @throws IllegalArgumentException if the payload has not as many bytes as the region, or the
   *     head would exceed 1 MiB
   */
  public long put(Region region, ByteBuffer... buffers) throws IOException {
    PayloadBytes payload = new PayloadBytes(buffers);
    if (payload.size() != region.byteCount()) {
      throw new IllegalArgumentException(
          String.format(
              "a put of %d bytes should have a payload of as many, not of %d.",
              region.byteCount(), payload.size()));
    }
    return append(Optional.of(region), payload);
  }

  /** Notes a text of at most 65,536 bytes in UTF-8. */
  public long note(String text) throws IOException {
    PayloadBytes payload = new PayloadBytes(StandardCharsets.UTF_8.encode(text));
    if (payload.size() > LogFormat.MOST_NOTE_SIZE) {
      throw new IllegalArgumentException(
          String.format(
              "a note has at most %d bytes, not %d.", LogFormat.MOST_NOTE_SIZE, payload.size()));
    }
    return append(Optional.empty(), payload);
  }

  private long append(Optional<Region> region, PayloadBytes payload) throws IOException {
    RecordHead head = RecordHead.of(log, recordCount + 1, region, payload);
    if (!segment.isEmpty() && head.recordSize() > segmentLimit - segment.end()) {
      SegmentWriter next = newSegment(segment.number() + 1);
      segment.close();
      segment = next;
    }
    segment.append(head, payload);
    return ++recordCount;
  }

  private SegmentWriter newSegment(int number) throws IOException {
    SegmentHead head = new SegmentHead(number, log, recordCount + 1);
    return SegmentWriter.create(store, directory, head);
  }

  @Override
  public void close() throws IOException {
    segment.close();
  }
}
