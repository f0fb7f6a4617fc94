package dev.cairn.sion.salvage.search;

import dev.cairn.sion.file.FileHead;
import dev.cairn.sion.stripe.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Looks in a physical file for bytes that are not zero. A hole reads as zeros, and Java cannot ask
 * the system where holes are, so they are read like everything else. One thread at a time.
 */
final class ZeroSearch {
  private static final int BUFFER_SIZE = 1 << 16;

  /** What the system reads at least, so that many small chunks are not taken for nothing. */
  private static final int PAGE_SIZE = 1 << 12;

  private static final ByteBuffer ZEROS = ByteBuffer.allocate(BUFFER_SIZE);

  private final FileHead file;
  private final BytesSearched watch;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_SIZE);

  ZeroSearch(FileHead file, BytesSearched watch) {
    this.file = file;
    this.watch = watch;
  }

  /** The length of an extent, which must lie in the file, without the zeros at its end. */
  long lengthWithoutZeros(Extent extent) throws IOException {
    long end = extent.length();
    while (end > 0) {
      int count = (int) Math.min(BUFFER_SIZE, end);
      int length = lengthWithoutZeros(read(extent.offset() + end - count, count));
      if (length > 0) {
        return end - count + length;
      }
      end -= count;
    }
    return 0;
  }

  private ByteBuffer read(long position, int count) throws IOException {
    file.readFully(position, buffer.clear().limit(count));
    watch.searched(Math.max(count, PAGE_SIZE));
    return buffer.flip();
  }

  /** Most pieces are all zeros or do not end in zeros; both cases are fast. */
  private static int lengthWithoutZeros(ByteBuffer piece) {
    int length = piece.limit();
    if (piece.mismatch(ZEROS.duplicate().limit(length)) < 0) {
      return 0;
    }
    while (piece.get(length - 1) == 0) {
      length--;
    }
    return length;
  }
}
