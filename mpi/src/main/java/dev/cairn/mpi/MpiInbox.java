package dev.cairn.mpi;

import dev.cairn.mpi.MpiComm.Arrival;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived at this rank. On a network that takes small tags only, several tags share one of
 * MPI's; then a message can arrive before it is requested, and is queued here.
 */
final class MpiInbox {
  private record Letter(int source, int tag, ByteBuffer payload) {
    boolean isFor(int wantedSource, int wantedTag) {
      return tag == wantedTag && (wantedSource == MpiComm.ANY_SOURCE || wantedSource == source);
    }
  }

  private final MpiPort port;
  private final MpiParts parts;
  private final Runnable progress;
  private final ArrayDeque<Letter> letters = new ArrayDeque<>();

  /** {@code progress} is called again and again while the rest of a message is on its way. */
  MpiInbox(MpiPort port, MpiParts parts, Runnable progress) {
    this.port = port;
    this.parts = parts;
    this.progress = progress;
  }

  /** The next message that has arrived, if any. */
  @Nullable ByteBuffer poll(int source, int tag, int mpiTag) {
    ByteBuffer kept = takeKept(source, tag);
    if (kept != null) {
      return kept;
    }
    for (Arrival arrived = port.probe(source, mpiTag);
        arrived != null;
        arrived = port.probe(source, mpiTag)) {
      Letter letter = read(arrived);
      if (letter.isFor(source, tag)) {
        return letter.payload();
      }
      letters.add(letter);
    }
    return null;
  }

  private @Nullable ByteBuffer takeKept(int source, int tag) {
    for (Letter letter : letters) {
      if (letter.isFor(source, tag)) {
        letters.remove(letter);
        return letter.payload();
      }
    }
    return null;
  }

  private Letter read(Arrival arrived) {
    ByteBuffer part = received(arrived);
    int tag = part.getInt();
    ByteBuffer payload = ByteBuffer.allocate(part.getInt()).order(ByteOrder.LITTLE_ENDIAN);
    append(payload, part);
    while (payload.hasRemaining()) {
      append(payload, received(next(arrived)));
    }
    return new Letter(arrived.source(), tag, payload.flip());
  }

  /** The sender has already started all parts, so the wait is short. */
  private Arrival next(Arrival first) {
    Arrival arrived = port.probe(first.source(), first.tag());
    while (arrived == null) {
      progress.run();
      arrived = port.probe(first.source(), first.tag());
    }
    return arrived;
  }

  private ByteBuffer received(Arrival arrived) {
    ByteBuffer part = parts.take(MpiParts.PART_SIZE);
    port.receive(part, arrived);
    return part.limit(arrived.byteCount());
  }

  private void append(ByteBuffer payload, ByteBuffer part) {
    payload.put(part);
    parts.giveBack(part);
  }
}
