package dev.cairn.mpi;

import dev.cairn.mpi.MpiComm.Sending;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * What this rank has sent and MPI still reads. Payloads are copied, so that a send does not wait
 * for the receiver.
 */
final class MpiOutbox {
  private record Unread(Sending sending, ByteBuffer part) {}

  private final MpiPort port;
  private final MpiParts parts;
  private final ArrayDeque<Unread> unread = new ArrayDeque<>();

  MpiOutbox(MpiPort port, MpiParts parts) {
    this.port = port;
    this.parts = parts;
  }

  /** The parts of a message are sent without other messages in between. */
  void send(int target, int tag, int mpiTag, ByteBuffer payload) {
    long left = (long) MpiParts.HEADER_SIZE + payload.remaining();
    ByteBuffer first = parts.take((int) Math.min(left, MpiParts.PART_SIZE));
    first.putInt(tag).putInt(payload.remaining());
    fillAndSend(first, payload, target, mpiTag);
    while (payload.hasRemaining()) {
      fillAndSend(
          parts.take(Math.min(payload.remaining(), MpiParts.PART_SIZE)), payload, target, mpiTag);
    }
  }

  private void fillAndSend(ByteBuffer part, ByteBuffer payload, int target, int mpiTag) {
    int count = Math.min(part.remaining(), payload.remaining());
    part.put(payload.slice().limit(count));
    payload.position(payload.position() + count);
    unread.add(new Unread(port.send(part, part.position(), target, mpiTag), part));
    reclaim();
  }

  /** Reclaims buffers that MPI has read, oldest first. These calls also drive MPI's progress. */
  void reclaim() {
    while (!unread.isEmpty() && port.isDone(unread.peek().sending())) {
      parts.giveBack(unread.remove().part());
    }
  }

  boolean isEmpty() {
    return unread.isEmpty();
  }
}
