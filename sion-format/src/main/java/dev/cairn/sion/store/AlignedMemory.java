package dev.cairn.sion.store;

import java.nio.ByteBuffer;

/**
 * Direct memory for bytes on their way from or to a file, in which they lie at the same place of a
 * cache line as in the file. Kernels copy at half the speed or less between places that differ by a
 * few bytes. One thread at a time.
 */
public final class AlignedMemory {
  private static final int LINE_SIZE = 64;

  private final ByteBuffer lines;
  private final int size;

  private AlignedMemory(ByteBuffer lines, int size) {
    this.lines = lines;
    this.size = size;
  }

  /** Memory for {@code size} bytes, wherever they lie in a file. */
  public static AlignedMemory allocate(int size) {
    // An aligned slice begins and ends at a line, and the bytes begin within its first one.
    int withBorders = Math.addExact(size, 3 * LINE_SIZE);
    return new AlignedMemory(ByteBuffer.allocateDirect(withBorders).alignedSlice(LINE_SIZE), size);
  }

  /**
   * An empty buffer on this memory, for bytes that begin at {@code position} of a file or stream.
   * It shares its bytes with all buffers that were returned before.
   */
  public ByteBuffer at(long position) {
    return lines.slice(Math.floorMod(position, LINE_SIZE), size);
  }
}
