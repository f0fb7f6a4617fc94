package dev.cairn.sion.log;

import dev.cairn.sion.field.FieldIo;
import dev.cairn.sion.field.MemoryReader;
import dev.cairn.sion.field.MemoryWriter;
import dev.cairn.sion.field.Misfit;
import dev.cairn.sion.field.Range;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The head of a record, from which its payload and the next record are found. The order of the
 * lines in {@link #fields} is the order on disk. The first fields have a checksum of their own: so
 * the size of a head is certain, and a head that is cut can be told from one that is damaged.
 *
 * @param size its bytes, with its checksums: a multiple of 8
 * @param id {@link LogIdentity#id}
 * @param sequence the number of the record in the log, from 1
 * @param payloadSize the bytes of the payload, without padding
 * @param region the cells that it puts; empty for a note
 * @param frames CRC32C of each frame of the payload
 */
record RecordHead(
    int size,
    long id,
    long sequence,
    long payloadSize,
    Optional<Region> region,
    FrameChecksums frames) {

  /** The bytes up to the first checksum, and with it. */
  static final int START_SIZE = 36;

  private static final int LEAST_SIZE = 40;
  private static final int PUT = 1;
  private static final int NOTE = 2;
  private static final byte[] NO_BYTES = {};

  /** The initial value for reading. */
  private static final RecordHead BLANK =
      new RecordHead(0, 0, 1, 0, Optional.empty(), FrameChecksums.NONE);

  /** The field list. */
  static <X extends Exception> RecordHead fields(FieldIo<X> io, RecordHead head) throws X {
    int size = io.i32("headSize", head.size, new Range(LEAST_SIZE, LogFormat.MOST_HEAD_SIZE));
    int kind = io.i32("kind", head.region.isPresent() ? PUT : NOTE, new Range(PUT, NOTE));
    long id = io.i64("id", head.id, Range.ANY);
    long sequence = io.i64("sequence", head.sequence, Range.atLeast(1));
    long payloadSize =
        io.i64("payloadSize", head.payloadSize, new Range(0, LogFormat.MOST_PAYLOAD_SIZE));
    io.i32("checksum", 0, Range.ANY);
    Optional<Region> region =
        kind == PUT
            ? Optional.of(Region.fields(io, head.region.orElse(Region.BLANK)))
            : Optional.empty();
    int[] frames = io.row32("frames", LogFormat.frameCount(payloadSize), head.frames.row());
    io.bytes("padding", size - Integer.BYTES - (int) io.position(), NO_BYTES);
    io.i32("checksum", 0, Range.ANY);
    return new RecordHead(size, id, sequence, payloadSize, region, new FrameChecksums(frames));
  }

  /** The head of the record number {@code sequence} of {@code log}. */
  static RecordHead of(
      LogIdentity log, long sequence, Optional<Region> region, PayloadBytes payload) {
    FrameChecksums frames = payload.frames();
    long size = sizeOf(region, frames);
    if (size > LogFormat.MOST_HEAD_SIZE) {
      throw new IllegalArgumentException(
          String.format(
              "a record with %d bytes of payload and so many boxes has a head of %d bytes, but at"
                  + " most %d are possible. Write it in several parts.",
              payload.size(), size, LogFormat.MOST_HEAD_SIZE));
    }
    return new RecordHead((int) size, log.id(), sequence, payload.size(), region, frames);
  }

  private static long sizeOf(Optional<Region> region, FrameChecksums frames) {
    long fieldSize = START_SIZE + region.map(Region::fieldSize).orElse(0L);
    return LogFormat.aligned(fieldSize + (long) Integer.BYTES * (frames.count() + 1));
  }

  /** The bytes of the whole record. */
  long recordSize() {
    return size + LogFormat.aligned(payloadSize);
  }

  /** Puts its bytes into {@code target}, which is little-endian, from position 0 on. */
  void encodeInto(ByteBuffer target) {
    fields(new MemoryWriter(target), this);
    LogFormat.seal(target, START_SIZE);
    LogFormat.seal(target, size);
  }

  /** The size of the head that begins with {@code start}, which is {@link #START_SIZE} bytes. */
  static int sizeIn(ByteBuffer start) throws Misfit {
    LogFormat.requireChecksum("the start of a record's head", start);
    int size = start.getInt(0);
    if (size < LEAST_SIZE || size > LogFormat.MOST_HEAD_SIZE || size % LogFormat.ALIGNMENT != 0) {
      throw new Misfit(
          0,
          "the size of a record's head should be a multiple of %d from %d to %d, but is %s",
          LogFormat.ALIGNMENT,
          LEAST_SIZE,
          LogFormat.MOST_HEAD_SIZE,
          size);
    }
    return size;
  }

  /** The head that {@code bytes} hold, which are as many as it says. */
  static RecordHead decoded(ByteBuffer bytes) throws Misfit {
    LogFormat.requireChecksum("the head of a record", bytes);
    RecordHead head = fields(new MemoryReader(bytes, 0), BLANK);
    head.requireSizes();
    return head;
  }

  private void requireSizes() throws Misfit {
    requireSize("headSize", sizeOf(region, frames), size);
    if (region.isPresent()) {
      requireSize("payloadSize", region.get().byteCount(), payloadSize);
    } else if (payloadSize > LogFormat.MOST_NOTE_SIZE) {
      throw new Misfit(
          0, "a note should have at most %d bytes, not %d", LogFormat.MOST_NOTE_SIZE, payloadSize);
    }
  }

  private static void requireSize(String name, long expected, long found) throws Misfit {
    if (found != expected) {
      throw new Misfit(0, "%s should be %d by the other fields, but is %d", name, expected, found);
    }
  }
}
