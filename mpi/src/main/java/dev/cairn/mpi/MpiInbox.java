package dev.cairn.mpi;

import dev.cairn.mpi.MpiComm.Arrival;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived at this rank. The parts of a message come one by one, and no call waits for the
 * next one: its sender may stand still. On a network that takes small tags only, several tags share
 * one of MPI's; then a message can arrive before it is requested, and is queued here.
 */
final class MpiInbox {
  private final MpiPort port;
  private final MpiParts parts;
  private final List<Incoming> underWay = new ArrayList<>();
  private final ArrayDeque<Incoming> whole = new ArrayDeque<>();
  private long progress;

  MpiInbox(MpiPort port, MpiParts parts) {
    this.port = port;
    this.parts = parts;
  }

  /** Grows while parts of messages arrive. */
  long progress() {
    return progress;
  }

  /** The next message that has arrived, if any. */
  @Nullable ByteBuffer poll(int source, int tag, int mpiTag) {
    ByteBuffer payload = take(source, tag);
    while (payload == null && advance(source, mpiTag)) {
      payload = take(source, tag);
    }
    return payload;
  }

  private @Nullable ByteBuffer take(int source, int tag) {
    for (Incoming message : whole) {
      if (message.isFor(source, tag)) {
        whole.remove(message);
        return message.payload();
      }
    }
    return null;
  }

  /** Whether something of a message was there that could be the wanted one. */
  private boolean advance(int source, int mpiTag) {
    Incoming further = furtherOne(source, mpiTag);
    if (further != null) {
      progress++;
      if (further.isWhole()) {
        underWay.remove(further);
        whole.add(further);
      }
      return true;
    }
    Arrival arrived = firstPart(source, mpiTag);
    if (arrived != null) {
      underWay.add(new Incoming(port, parts, arrived));
    }
    return arrived != null;
  }

  /** A message that has come one step further. */
  private @Nullable Incoming furtherOne(int source, int mpiTag) {
    for (Incoming message : underWay) {
      if (message.isFrom(source, mpiTag) && message.advance()) {
        return message;
      }
    }
    return null;
  }

  /** The first part of a message, if one has arrived. */
  private @Nullable Arrival firstPart(int source, int mpiTag) {
    if (source != MpiComm.ANY_SOURCE) {
      return isUnderWay(source, mpiTag) ? null : port.probe(source, mpiTag);
    }
    Arrival arrived = port.probe(source, mpiTag);
    if (arrived == null || !isUnderWay(arrived.source(), mpiTag)) {
      return arrived;
    }
    // A later part, in front of what others have sent.
    for (int other = 0; other < port.size(); other++) {
      arrived = firstPart(other, mpiTag);
      if (arrived != null) {
        return arrived;
      }
    }
    return null;
  }

  private boolean isUnderWay(int source, int mpiTag) {
    for (Incoming message : underWay) {
      if (message.isFrom(source, mpiTag)) {
        return true;
      }
    }
    return false;
  }
}
