package dev.cairn.sion.log;

import dev.cairn.sion.head.HeadIo;
import dev.cairn.sion.head.HeadReader;
import dev.cairn.sion.head.HeadWriter;
import dev.cairn.sion.head.Misfit;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * The first 64 bytes of a segment. The order of the lines in {@link #fields} is the order on disk.
 *
 * @param segment the number of the segment, as in the name of its file
 * @param log whose segment it is
 * @param firstSequence the sequence number of its first record
 */
record SegmentHead(int segment, LogIdentity log, long firstSequence) {
  static final int SIZE = 64;

  /** The initial value for reading. */
  static final SegmentHead BLANK = new SegmentHead(0, new LogIdentity(0, 0, 0, 1), 1);

  private static final int VERSION_OFFSET = Long.BYTES;

  /** The field list. */
  static SegmentHead fields(HeadIo io, SegmentHead head) throws Misfit {
    io.constant("magic", LogFormat.MAGIC);
    io.i32("version", LogFormat.VERSION, LogFormat.VERSION, LogFormat.VERSION);
    int segment = io.i32("segment", head.segment, 0, Integer.MAX_VALUE);
    long id = io.any64("id", head.log.id());
    long generation = io.i64("generation", head.log.generation(), 0, Long.MAX_VALUE);
    int rank = io.i32("rank", head.log.rank(), 0, Integer.MAX_VALUE - 1);
    int rankCount = io.i32("rankCount", head.log.rankCount(), rank + 1, Integer.MAX_VALUE);
    long firstSequence = io.i64("firstSequence", head.firstSequence, 1, Long.MAX_VALUE);
    io.i64("reserved", 0, 0, 0);
    io.i32("reserved", 0, 0, 0);
    io.checksum();
    return new SegmentHead(
        segment, new LogIdentity(id, generation, rank, rankCount), firstSequence);
  }

  /** The bytes on disk. */
  ByteBuffer encoded() {
    ByteBuffer bytes = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    HeadWriter.write(bytes, io -> fields(io, this));
    return bytes.flip();
  }

  /** The head that {@code bytes}, which are the first 64 of {@code file}, hold. */
  static SegmentHead decoded(Path file, ByteBuffer bytes)
      throws Misfit, LogException.UnsupportedVersion {
    new HeadReader(bytes.duplicate(), 0).constant("magic", LogFormat.MAGIC);
    LogFormat.requireChecksum("the head of the segment", bytes);
    int version = Short.toUnsignedInt(bytes.getShort(VERSION_OFFSET));
    if (version != LogFormat.VERSION) {
      throw new LogException.UnsupportedVersion(file, version);
    }
    return fields(new HeadReader(bytes, 0), BLANK);
  }
}
