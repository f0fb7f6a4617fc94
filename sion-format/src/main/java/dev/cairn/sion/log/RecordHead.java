package dev.cairn.sion.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The head of a record, from which its payload and the next record are found. The order of the
 * lines in {@link #fields} is the order on disk; zeros and a checksum follow them.
 *
 * @param size its bytes, with its checksum: a multiple of 8
 * @param id {@link LogIdentity#id}
 * @param generation {@link LogIdentity#generation}
 * @param sequence the number of the record in the log, from 1
 * @param payloadSize the bytes of the payload, without padding
 * @param entry what the record says
 * @param frames CRC32C of each frame of the payload
 * @param checksum CRC32C of the head before it; not among the fields
 */
record RecordHead(
    int size,
    long id,
    long generation,
    long sequence,
    long payloadSize,
    LogEntry entry,
    FrameChecksums frames,
    int checksum) {

  /** The initial value for reading. */
  private static final RecordHead BLANK =
      new RecordHead(0, 0, 0, 1, 0, new LogEntry.Note(), FrameChecksums.NONE, 0);

  /** The field list. */
  static RecordHead fields(HeadIo io, RecordHead head) throws Misfit {
    int size = io.u32("headSize", head.size, LogFormat.LEAST_HEAD_SIZE, LogFormat.MOST_HEAD_SIZE);
    int kind = io.u32("kind", RecordKind.of(head.entry).code(), 1, RecordKind.values().length);
    long id = io.bits64("id", head.id);
    long generation = io.u64("generation", head.generation, 0, Long.MAX_VALUE);
    long sequence = io.u64("sequence", head.sequence, 1, Long.MAX_VALUE);
    long payloadSize = io.u64("payloadSize", head.payloadSize, 0, LogFormat.MOST_PAYLOAD_SIZE);
    LogEntry entry = RecordKind.of(kind).fields(io, head.entry);
    FrameChecksums frames = io.checksums("frames", LogFormat.frameCount(payloadSize), head.frames);
    return new RecordHead(
        size, id, generation, sequence, payloadSize, entry, frames, head.checksum);
  }

  /** The head of the record number {@code sequence} of {@code log}, whose size follows. */
  static RecordHead of(LogIdentity log, long sequence, LogEntry entry, PayloadBytes payload) {
    RecordHead blank =
        new RecordHead(
            0, log.id(), log.generation(), sequence, payload.size(), entry, payload.frames(), 0);
    HeadMeter meter = new HeadMeter();
    walk(meter, blank);
    long size = LogFormat.aligned(meter.position() + Integer.BYTES);
    if (size > LogFormat.MOST_HEAD_SIZE) {
      throw new IllegalArgumentException(
          String.format(
              "a record with %d bytes of payload and so many boxes has a head of %d bytes, but at"
                  + " most %d are possible. Write it in several parts.",
              payload.size(), size, LogFormat.MOST_HEAD_SIZE));
    }
    return blank.with((int) size, 0);
  }

  /** The bytes of the whole record. */
  long recordSize() {
    return size + LogFormat.aligned(payloadSize);
  }

  /** The same head with its checksum, whose bytes go into {@code target} from its position on. */
  RecordHead encodedInto(ByteBuffer target) {
    int start = target.position();
    walk(new HeadWriter(target), this);
    int checksumOffset = start + size - Integer.BYTES;
    while (target.position() < checksumOffset) {
      target.put((byte) 0);
    }
    int found = LogFormat.checksum(target.duplicate().flip().position(start));
    target.putInt(found);
    return with(size, found);
  }

  /** Only readers refuse something. */
  private static void walk(HeadIo io, RecordHead head) {
    try {
      fields(io, head);
    } catch (Misfit impossible) {
      throw new AssertionError("only a reader refuses something", impossible);
    }
  }

  private RecordHead with(int newSize, int newChecksum) {
    return new RecordHead(
        newSize, id, generation, sequence, payloadSize, entry, frames, newChecksum);
  }

  /** The head that {@code bytes} hold, which are as many as it says and little-endian. */
  static RecordHead decoded(ByteBuffer bytes) throws Misfit {
    ByteBuffer fields = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    fields.limit(fields.limit() - Integer.BYTES);
    int expected = bytes.getInt(fields.limit());
    int found = LogFormat.checksum(fields);
    if (found != expected) {
      throw new Misfit(
          "the head of a record should have the CRC32C %08x, but has %08x", expected, found);
    }
    HeadReader reader = new HeadReader(fields);
    RecordHead head = fields(reader, BLANK);
    reader.requireEnd();
    head.requirePayload();
    return head.with(head.size, found);
  }

  private void requirePayload() throws Misfit {
    long least = entry instanceof LogEntry.Put put ? put.region().byteCount() : 0;
    long most = entry instanceof LogEntry.Note ? LogFormat.MOST_NOTE_SIZE : least;
    if (payloadSize < least || payloadSize > most) {
      throw new Misfit.Illegal(
          "the payload should have %s bytes by the other fields, but has %d",
          least == most ? least : least + " to " + most, payloadSize);
    }
  }
}
