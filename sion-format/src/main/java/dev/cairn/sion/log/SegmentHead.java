package dev.cairn.sion.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The first 64 bytes of a segment. The order of the lines in {@link #fields} is the order on disk;
 * a checksum follows them.
 *
 * @param policy when the log is forced
 * @param segment the number of the segment, as in the name of its file
 * @param log whose segment it is
 * @param firstSequence the sequence number of its first record
 * @param previousEnd where the records of the segment before end; what follows there is no data. 0
 *     in the first segment
 */
record SegmentHead(
    LogForcePolicy policy, int segment, LogIdentity log, long firstSequence, long previousEnd) {

  /** The initial value for reading. */
  static final SegmentHead BLANK =
      new SegmentHead(LogForcePolicy.NEVER, 0, new LogIdentity(0, 0, 0, 1), 1, 0);

  private static final int CHECKSUM_OFFSET = LogFormat.SEGMENT_HEAD_SIZE - Integer.BYTES;
  private static final int VERSION_OFFSET = Long.BYTES;

  /** The field list. */
  static SegmentHead fields(HeadIo io, SegmentHead head) throws Misfit {
    io.u64("magic", LogFormat.MAGIC, LogFormat.MAGIC, LogFormat.MAGIC);
    io.u16("version", LogFormat.VERSION, LogFormat.VERSION, LogFormat.VERSION);
    int policy = io.u16("policy", head.policy.code(), 0, 2);
    int segment = io.u32("segment", head.segment, 0, Integer.MAX_VALUE);
    long id = io.bits64("id", head.log.id());
    long generation = io.u64("generation", head.log.generation(), 0, Long.MAX_VALUE);
    int rank = io.u32("rank", head.log.rank(), 0, Integer.MAX_VALUE - 1);
    int rankCount = io.u32("rankCount", head.log.rankCount(), rank + 1, Integer.MAX_VALUE);
    long firstSequence = io.u64("firstSequence", head.firstSequence, 1, Long.MAX_VALUE);
    long previousEnd = io.u64("previousEnd", head.previousEnd, 0, Long.MAX_VALUE);
    io.u32("reserved", 0, 0, 0);
    return new SegmentHead(
        LogForcePolicy.of(policy),
        segment,
        new LogIdentity(id, generation, rank, rankCount),
        firstSequence,
        previousEnd);
  }

  /** The bytes on disk. */
  ByteBuffer encoded() {
    ByteBuffer bytes =
        ByteBuffer.allocate(LogFormat.SEGMENT_HEAD_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    try {
      fields(new HeadWriter(bytes), this);
    } catch (Misfit impossible) {
      throw new AssertionError("a writer refuses nothing", impossible);
    }
    int checksum = LogFormat.checksum(bytes.duplicate().flip());
    return bytes.putInt(checksum).flip();
  }

  /** The head that {@code bytes}, which are 64 and little-endian, hold. */
  static SegmentHead decoded(ByteBuffer bytes) throws Misfit {
    long magic = bytes.getLong(0);
    if (magic != LogFormat.MAGIC) {
      throw new Misfit(
          "the head of a segment should begin with CAIRNLOG, but begins with %016x",
          Long.reverseBytes(magic));
    }
    ByteBuffer summed = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).limit(CHECKSUM_OFFSET);
    int expected = bytes.getInt(CHECKSUM_OFFSET);
    int found = LogFormat.checksum(summed);
    if (found != expected) {
      throw new Misfit(
          "the head of the segment should have the CRC32C %08x, but has %08x", expected, found);
    }
    int version = Short.toUnsignedInt(bytes.getShort(VERSION_OFFSET));
    if (version != LogFormat.VERSION) {
      throw new OtherVersion(version);
    }
    return fields(new HeadReader(summed), BLANK);
  }

  /** The head is sound, but of a version that this library does not read. */
  static final class OtherVersion extends Misfit {
    private static final long serialVersionUID = 1L;

    private final int version;

    OtherVersion(int version) {
      super("the format version should be %d, but is %d", LogFormat.VERSION, version);
      this.version = version;
    }

    int version() {
      return version;
    }
  }
}
