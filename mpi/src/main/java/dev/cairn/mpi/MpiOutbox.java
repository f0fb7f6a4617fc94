package dev.cairn.mpi;

import dev.cairn.mpi.MpiComm.Transfer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What this rank has sent and MPI still reads. Payloads are copied, so that a send does not wait
 * for the receiver.
 */
final class MpiOutbox {
  private record Unread(Transfer transfer, ByteBuffer part) {}

  private final MpiPort port;
  private final MpiParts parts;
  private final ArrayDeque<Unread> unread = new ArrayDeque<>();

  /** Why a message was sent in part only; null if there is none. */
  private @Nullable Throwable tornBy;

  MpiOutbox(MpiPort port, MpiParts parts) {
    this.port = port;
    this.parts = parts;
  }

  /** The parts of a message are sent without other messages in between. */
  void send(int target, int tag, int mpiTag, ByteBuffer payload) {
    requireWholeMessages();
    long left = (long) MpiParts.HEADER_SIZE + payload.remaining();
    ByteBuffer first = parts.take((int) Math.min(left, MpiParts.PART_SIZE));
    first.putInt(tag).putInt(payload.remaining());
    int begin = payload.position();
    try {
      fillAndSend(first, payload, target, mpiTag);
      while (payload.hasRemaining()) {
        fillAndSend(
            parts.take(Math.min(payload.remaining(), MpiParts.PART_SIZE)), payload, target, mpiTag);
      }
    } catch (Throwable failure) {
      if (payload.position() > begin && payload.hasRemaining()) {
        tornBy = failure;
      }
      throw failure;
    }
  }

  /** The receiver would take the next message for the rest of one that was sent in part. */
  private void requireWholeMessages() {
    if (tornBy != null) {
      throw new IllegalStateException(
          ("rank %d has sent a message in part only, and can send nothing more. End the program; it"
                  + " goes on from its last checkpoint.")
              .formatted(port.rank()),
          tornBy);
    }
  }

  private void fillAndSend(ByteBuffer part, ByteBuffer payload, int target, int mpiTag) {
    int count = Math.min(part.remaining(), payload.remaining());
    part.put(payload.slice().limit(count));
    unread.add(new Unread(port.send(part, part.position(), target, mpiTag), part));
    payload.position(payload.position() + count);
    reclaim();
  }

  /** Reclaims buffers that MPI has read, oldest first. These calls also drive MPI's progress. */
  void reclaim() {
    while (!unread.isEmpty()) {
      // Not asked again after a failure, since MPI has given the transfer up then.
      Unread oldest = unread.remove();
      if (!port.isDone(oldest.transfer())) {
        unread.addFirst(oldest);
        return;
      }
      parts.giveBack(oldest.part());
    }
  }

  boolean isEmpty() {
    return unread.isEmpty();
  }
}
