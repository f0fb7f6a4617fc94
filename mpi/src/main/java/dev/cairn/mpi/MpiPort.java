package dev.cairn.mpi;

import java.nio.ByteBuffer;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;
import org.jspecify.annotations.Nullable;

/**
 * A private communicator of MPI. Its failures are {@link MpiFailure}s. No call waits for another
 * rank, except for {@link #over} and {@link #close}.
 *
 * <p>Only the thread that created it may use it, since MPI was initialised for a single thread.
 * Calls from a second thread could corrupt messages, so they are refused.
 */
final class MpiPort {
  private final Comm comm;
  private final int rank;
  private final int size;
  private final Thread owner = Thread.currentThread();
  private volatile boolean isClosed;

  private MpiPort(Comm comm) throws MPIException {
    this.comm = comm;
    this.rank = comm.getRank();
    this.size = comm.getSize();
  }

  /** Collective: duplicates {@code comm}, so that messages of other code are never received. */
  static MpiPort over(Comm comm) {
    try {
      requireStarted();
      Comm copy = comm.dup();
      // Errors are thrown instead of ending the process.
      copy.setErrhandler(MPI.ERRORS_RETURN);
      return new MpiPort(copy);
    } catch (MPIException failure) {
      throw MpiFailure.of("MPI_Comm_dup", MpiFailure.NO_RANK, failure);
    }
  }

  private static void requireStarted() throws MPIException {
    if (!MPI.isInitialized()) {
      throw new IllegalStateException(
          "MPI is not started yet: call MPI.Init before Cairn.over, and MPI.Finalize after close.");
    }
    if (MPI.isFinalized()) {
      throw new IllegalStateException(
          "MPI has ended: call Cairn.over and close before MPI.Finalize.");
    }
  }

  int rank() {
    return rank;
  }

  int size() {
    return size;
  }

  /** The largest tag that the network takes: at least 32767, at most 31 bits. */
  static int largestTag() {
    try {
      // Only MPI_COMM_WORLD has this attribute.
      return (Integer) MPI.COMM_WORLD.getAttr(MPI.TAG_UB);
    } catch (MPIException failure) {
      throw MpiFailure.of("MPI_Comm_get_attr", MpiFailure.NO_RANK, failure);
    }
  }

  /** What has arrived of this source with this tag, if anything. */
  @Nullable Status probe(int source, int tag) {
    try {
      return owned().iProbe(source, tag);
    } catch (MPIException failure) {
      throw failure("MPI_Iprobe", failure);
    }
  }

  /** Receives what {@link #probe} has found, into a direct buffer, and returns its size. */
  int receive(ByteBuffer part, Status arrived) {
    try {
      int size = arrived.getCount(MPI.BYTE);
      owned().recv(part, size, MPI.BYTE, arrived.getSource(), arrived.getTag());
      return size;
    } catch (MPIException failure) {
      throw failure("MPI_Recv from rank " + arrived.getSource(), failure);
    }
  }

  /** Starts to send a direct buffer, which must not be changed until the request is complete. */
  Request send(ByteBuffer part, int byteCount, int target, int tag) {
    try {
      return owned().iSend(part, byteCount, MPI.BYTE, target, tag);
    } catch (MPIException failure) {
      throw failure("MPI_Isend of " + byteCount + " bytes to rank " + target, failure);
    }
  }

  boolean isDone(Request request) {
    try {
      requireOpen();
      return request.test();
    } catch (MPIException failure) {
      throw failure("MPI_Test", failure);
    }
  }

  /** Ends all processes of the job. Any thread may call it, since no call follows. */
  void abort(int exitCode) {
    try {
      open().abort(exitCode);
    } catch (MPIException failure) {
      throw failure("MPI_Abort", failure);
    }
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Collective. */
  void close() {
    try {
      owned().free();
      isClosed = true;
    } catch (MPIException failure) {
      throw failure("MPI_Comm_free", failure);
    }
  }

  private Comm owned() throws MPIException {
    Thread caller = Thread.currentThread();
    if (caller != owner) {
      throw new IllegalStateException(
          ("MPI was initialised for the thread '%s' alone, but '%s' calls it. Call Cairn on '%s'"
                  + " only.")
              .formatted(owner.getName(), caller.getName(), owner.getName()));
    }
    return open();
  }

  private Comm open() throws MPIException {
    requireOpen();
    return comm;
  }

  /** Calls after the end of MPI would end the whole job without an exception in Java. */
  private void requireOpen() throws MPIException {
    if (isClosed) {
      throw refusal("is closed already: close it after the last call of Cairn");
    }
    if (MPI.isFinalized()) {
      throw refusal("was not closed when MPI ended: close Cairn before MPI.Finalize");
    }
  }

  private IllegalStateException refusal(String flaw) {
    return new IllegalStateException(
        "rank %d of %d uses a communicator of Cairn's that %s.".formatted(rank, size, flaw));
  }

  private MpiFailure failure(String call, MPIException cause) {
    return MpiFailure.of(call, rank, cause);
  }
}
