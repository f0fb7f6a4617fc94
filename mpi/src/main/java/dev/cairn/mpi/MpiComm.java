package dev.cairn.mpi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A communicator of some MPI that belongs to Cairn: the functions that Cairn needs of it. Failures
 * are {@link MpiFailure}s; MPI does not end the process for them, except MPICH if a transfer fails
 * that has begun.
 *
 * <p>Callers keep MPI's rules on threads, and on calls after {@link #free} or MPI_Finalize: see
 * {@link MpiPort}.
 */
interface MpiComm {
  /** A message that has arrived and can be received. */
  record Arrival(int source, int tag, int byteCount) {}

  /** A message that MPI may still read from its buffer, or write into it. */
  interface Transfer {
    /** MPI_Test: true as soon as the buffer can be used; not to be asked after that. */
    boolean isDone();
  }

  /** Stands for every source in {@link #probe}; implementations translate it. */
  int ANY_SOURCE = -1;

  int rank();

  int size();

  /** The largest tag that the network takes: at least 32767, at most 31 bits. */
  int largestTag();

  /** MPI_Iprobe: what has arrived of this source with this tag, if anything. */
  @Nullable Arrival probe(int source, int tag);

  /** MPI_Irecv of what {@link #probe} has found, into a direct buffer from its beginning. */
  Transfer receive(ByteBuffer part, Arrival arrived);

  /** MPI_Isend of a direct buffer's first bytes, which must not change until it is done. */
  Transfer send(ByteBuffer part, int byteCount, int target, int tag);

  /** MPI_Abort: ends all processes of the job. */
  void abort(int exitCode);

  /** Collective: MPI_Comm_free. */
  void free();

  /** MPI_Finalized, which may be called at any time. */
  boolean isMpiFinalized();

  /** MPI's name of this machine. */
  String processorName();
}
