package dev.cairn.mpi;

import dev.cairn.mpi.MpiComm.Arrival;
import dev.cairn.mpi.MpiComm.Transfer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A communicator of Cairn's, guarded: calls that MPI would answer with the end of the job are
 * refused in Java. No call waits for another rank, except for {@link #close}.
 *
 * <p>Only the thread that created it may use it, since MPI was initialised for a single thread.
 * Calls from a second thread could corrupt messages, so they are refused.
 */
final class MpiPort {
  private final MpiComm comm;
  private final Thread owner = Thread.currentThread();
  private volatile boolean isClosed;

  /** Takes over {@code comm}, and frees it. */
  MpiPort(MpiComm comm) {
    this.comm = comm;
  }

  int rank() {
    return comm.rank();
  }

  int size() {
    return comm.size();
  }

  /** What has arrived of this source with this tag, if anything. */
  @Nullable Arrival probe(int source, int tag) {
    return owned().probe(source, tag);
  }

  /** Starts to receive what {@link #probe} has found, into a direct buffer. */
  Transfer receive(ByteBuffer part, Arrival arrived) {
    return owned().receive(part, arrived);
  }

  /** Starts to send a direct buffer, which must not be changed until the message is done. */
  Transfer send(ByteBuffer part, int byteCount, int target, int tag) {
    return owned().send(part, byteCount, target, tag);
  }

  boolean isDone(Transfer transfer) {
    requireOpen();
    return transfer.isDone();
  }

  /** Ends all processes of the job. Any thread may call it, since no call follows. */
  void abort(int exitCode) {
    requireOpen();
    comm.abort(exitCode);
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Collective. */
  void close() {
    owned().free();
    isClosed = true;
  }

  @Override
  public String toString() {
    return comm.toString();
  }

  private MpiComm owned() {
    Thread caller = Thread.currentThread();
    if (caller != owner) {
      throw new IllegalStateException(
          ("MPI was initialised for the thread '%s' alone, but '%s' calls it. Call Cairn on '%s'"
                  + " only.")
              .formatted(owner.getName(), caller.getName(), owner.getName()));
    }
    requireOpen();
    return comm;
  }

  /** Calls after the end of MPI would end the whole job without an exception in Java. */
  private void requireOpen() {
    if (isClosed) {
      throw refusal("is closed already: close it after the last call of Cairn");
    }
    if (comm.isMpiFinalized()) {
      throw refusal("was not closed when MPI ended: close Cairn before MPI_Finalize");
    }
  }

  private IllegalStateException refusal(String flaw) {
    return new IllegalStateException(
        "rank %d of %d uses a communicator of Cairn's that %s.".formatted(rank(), size(), flaw));
  }
}
