package dev.cairn.sion.append;

import dev.cairn.sion.file.PhysicalFile;
import dev.cairn.sion.format.RecordHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Blocks of 0 bytes in a stream of records, which an append leaves where META2 lay. The C library
 * passes over them inside a header or inside a value. Where they follow a whole record or separate
 * a header from its value, its iterator over records loses its place. So a gap always lies inside a
 * record.
 */
final class RecordGap {
  private static final int HEADER_SIZE = RecordHeader.SIZE;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private RecordGap() {}

  /**
   * The last bytes of a stream of whole records which must follow a gap rather than precede it: the
   * last byte, or the last two where the last record's value is a single byte, since its header
   * must be cut then. Empty if the stream or its chunks are too small.
   */
  static ByteBuffer end(PhysicalFile file, int localRank) throws IOException {
    long size = file.blocks().size(localRank);
    if (size < HEADER_SIZE || file.geometry().chunkSize(localRank) < 2) {
      return NOTHING;
    }
    ByteBuffer tail = ByteBuffer.allocate(Long.BYTES + 1).order(file.metaOrder());
    file.read(localRank, size - tail.capacity(), tail);
    // Where the 8 bytes before the last one merely look like the length 1, the last two are within
    // a longer value: a header with the length 2 in this place would have another byte there.
    int count = tail.getLong(0) == 1 ? 2 : 1;
    return tail.slice(tail.capacity() - count, count).asReadOnlyBuffer();
  }

  /** The bytes in each block when the last {@code count} bytes have moved to a later block. */
  static long[] withEndIn(int block, long[] bytesPerBlock, int count) {
    long[] moved = Arrays.copyOf(bytesPerBlock, block + 1);
    long left = count;
    for (int before = bytesPerBlock.length - 1; left > 0; before--) {
      long taken = Math.min(left, moved[before]);
      moved[before] -= taken;
      left -= taken;
    }
    moved[block] = count;
    return moved;
  }
}
