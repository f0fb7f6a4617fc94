package dev.cairn.mpi;

import dev.cairn.mpi.MpiComm.Arrival;
import dev.cairn.mpi.MpiComm.Transfer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** A message whose parts arrive one after the other. */
final class Incoming {
  /** The size of a message before its first part. */
  private static final int UNKNOWN = -1;

  private final MpiPort port;
  private final MpiParts parts;
  private final int source;
  private final int mpiTag;

  /** The part that is being received, or was received and not taken yet; null between two parts. */
  private @Nullable ByteBuffer part;

  /** Null when the part is there. */
  private @Nullable Transfer transfer;

  private int tag;
  private int size = UNKNOWN;
  private int left;

  /** Null before the first part, and where there is no memory for it. */
  private @Nullable ByteBuffer payload;

  /** Begins with the first part, which has {@code arrived}. */
  Incoming(MpiPort port, MpiParts parts, Arrival arrived) {
    this.port = port;
    this.parts = parts;
    this.source = arrived.source();
    this.mpiTag = arrived.tag();
    start(arrived);
  }

  private void start(Arrival arrived) {
    ByteBuffer next = parts.take(arrived.byteCount()).limit(arrived.byteCount());
    transfer = port.receive(next, arrived);
    part = next;
  }

  /** Goes one step on, if that needs no wait. */
  boolean advance() {
    if (part == null) {
      Arrival arrived = port.probe(source, mpiTag);
      if (arrived != null) {
        start(arrived);
      }
      return arrived != null;
    }
    if (!isHere()) {
      return false;
    }
    append(part);
    return true;
  }

  private boolean isHere() {
    Transfer asked = transfer;
    if (asked == null) {
      return true;
    }
    // After a failure, MPI has given the transfer up: it is never done.
    transfer = () -> false;
    boolean isDone = port.isDone(asked);
    transfer = isDone ? null : asked;
    return isDone;
  }

  private void append(ByteBuffer arrived) {
    if (size == UNKNOWN) {
      tag = arrived.getInt(0);
      size = arrived.getInt(Integer.BYTES);
      left = size;
      payload = allocate(size);
      arrived.position(MpiParts.HEADER_SIZE);
    }
    left -= arrived.remaining();
    if (payload != null) {
      payload.put(arrived);
    }
    parts.giveBack(arrived);
    part = null;
  }

  /**
   * Null if the heap has no room. Such a message is received to its end and thrown away, so that
   * its sender can finish and later messages can arrive; {@link #payload} reports it.
   */
  private static @Nullable ByteBuffer allocate(int size) {
    try {
      return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    } catch (OutOfMemoryError full) {
      return null;
    }
  }

  boolean isWhole() {
    return size != UNKNOWN && left == 0;
  }

  /** Whether this whole message is one of these. */
  boolean isFor(int wantedSource, int wantedTag) {
    return tag == wantedTag && isOf(wantedSource);
  }

  boolean isFrom(int wantedSource, int wantedTag) {
    return mpiTag == wantedTag && isOf(wantedSource);
  }

  private boolean isOf(int wantedSource) {
    return wantedSource == MpiComm.ANY_SOURCE || wantedSource == source;
  }

  /**
   * Of a whole message.
   *
   * @throws OutOfMemoryError if there was no memory for it
   */
  ByteBuffer payload() {
    if (payload == null) {
      throw new OutOfMemoryError(
          ("rank %d has no room in the Java heap for a message of %d bytes from rank %d."
                  + " Give each process more with -Xmx.")
              .formatted(port.rank(), size, source));
    }
    return payload.flip();
  }
}
