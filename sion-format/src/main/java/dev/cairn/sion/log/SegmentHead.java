package dev.cairn.sion.log;

import dev.cairn.sion.field.FieldIo;
import dev.cairn.sion.field.MemoryReader;
import dev.cairn.sion.field.MemoryWriter;
import dev.cairn.sion.field.Misfit;
import dev.cairn.sion.field.Range;
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
  static <X extends Exception> SegmentHead fields(FieldIo<X> io, SegmentHead head) throws X {
    io.constant("magic", LogFormat.MAGIC);
    io.i32("version", LogFormat.VERSION, Range.exactly(LogFormat.VERSION));
    int segment = io.i32("segment", head.segment, Range.atLeast(0));
    long id = io.i64("id", head.log.id(), Range.ANY);
    long generation = io.i64("generation", head.log.generation(), Range.atLeast(0));
    int rank = io.i32("rank", head.log.rank(), new Range(0, Integer.MAX_VALUE - 1));
    int rankCount = io.i32("rankCount", head.log.rankCount(), Range.atLeast(rank + 1));
    long firstSequence = io.i64("firstSequence", head.firstSequence, Range.atLeast(1));
    io.i64("reserved", 0, Range.exactly(0));
    io.i32("reserved", 0, Range.exactly(0));
    io.i32("checksum", 0, Range.ANY);
    return new SegmentHead(
        segment, new LogIdentity(id, generation, rank, rankCount), firstSequence);
  }

  /** The bytes on disk. */
  ByteBuffer encoded() {
    ByteBuffer bytes = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    fields(new MemoryWriter(bytes), this);
    LogFormat.seal(bytes, SIZE);
    return bytes.flip();
  }

  /** The head that {@code bytes}, which are the first 64 of {@code file}, hold. */
  static SegmentHead decoded(Path file, ByteBuffer bytes)
      throws Misfit, LogException.UnsupportedVersion {
    new MemoryReader(bytes.duplicate(), 0).constant("magic", LogFormat.MAGIC);
    LogFormat.requireChecksum("the head of the segment", bytes);
    int version = Short.toUnsignedInt(bytes.getShort(VERSION_OFFSET));
    if (version != LogFormat.VERSION) {
      throw new LogException.UnsupportedVersion(file, version);
    }
    return fields(new MemoryReader(bytes, 0), BLANK);
  }
}
