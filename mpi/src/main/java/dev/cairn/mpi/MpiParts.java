package dev.cairn.mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * How a message travels: as parts of at most 1 MiB, so that no size is too large for MPI. The first
 * part begins with the tag and the size of the whole message.
 *
 * <p>This also keeps direct buffers for parts, since those are costly to make. At most 16 of each
 * kind stay when nobody needs them.
 */
final class MpiParts {
  /** What a part holds at most, its header included. */
  static final int PART_SIZE = 1 << 20;

  /** The tag and the size. */
  static final int HEADER_SIZE = 2 * Integer.BYTES;

  /** Most messages are small: a buffer of this size does for them. */
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
