package dev.cairn.mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * Splits messages into parts of at most 1 MiB, since MPI limits the size of a message. The first
 * part begins with the tag and the size of the whole message.
 *
 * <p>Also pools direct buffers for parts, since their allocation is costly. At most 16 idle buffers
 * of each kind are kept.
 */
final class MpiParts {
  /** The maximum size of a part, its header included. */
  static final int PART_SIZE = 1 << 20;

  /** The tag and the size. */
  static final int HEADER_SIZE = 2 * Integer.BYTES;

  /** The size of the buffers for small messages, which are most. */
  private static final int SMALL_SIZE = 4 << 10;

  private static final int KEPT_COUNT = 16;

  private final ArrayDeque<ByteBuffer> small = new ArrayDeque<>();
  private final ArrayDeque<ByteBuffer> large = new ArrayDeque<>();

  /** An empty buffer for a part of this size. */
  ByteBuffer take(int size) {
    boolean isSmall = size <= SMALL_SIZE;
    ByteBuffer kept = (isSmall ? small : large).poll();
    return kept != null ? kept.clear() : direct(isSmall ? SMALL_SIZE : PART_SIZE);
  }

  void giveBack(ByteBuffer part) {
    ArrayDeque<ByteBuffer> kind = part.capacity() == SMALL_SIZE ? small : large;
    if (kind.size() < KEPT_COUNT) {
      kind.push(part);
    }
  }

  private static ByteBuffer direct(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
