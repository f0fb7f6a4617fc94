package dev.cairn.mpi;

import static java.util.Objects.requireNonNull;

import dev.cairn.mpi.MpiComm.Arrival;
import dev.cairn.mpi.MpiComm.Transfer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** A message whose parts arrive one after the other. */
final class Incoming {
  private final MpiPort port;
  private final MpiParts parts;
  private final int source;
  private final int mpiTag;

  /** The part that is being received, or was received and not taken yet; null between two parts. */
  private @Nullable ByteBuffer part;

  /** Null when the part is there. */
  private @Nullable Transfer transfer;

  private int tag;

  /** Null before the first part. */
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
    if (payload == null) {
      int size = arrived.getInt(Integer.BYTES);
      payload = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
      tag = arrived.getInt(0);
      arrived.position(MpiParts.HEADER_SIZE);
    }
    payload.put(arrived);
    parts.giveBack(arrived);
    part = null;
  }

  boolean isWhole() {
    return payload != null && !payload.hasRemaining();
  }

  boolean isFrom(int wantedSource, int wantedTag) {
    return mpiTag == wantedTag && (wantedSource == MpiComm.ANY_SOURCE || wantedSource == source);
  }

  int source() {
    return source;
  }

  int tag() {
    return tag;
  }

  /** Of a whole message. */
  ByteBuffer payload() {
    return requireNonNull(payload).flip();
  }
}
