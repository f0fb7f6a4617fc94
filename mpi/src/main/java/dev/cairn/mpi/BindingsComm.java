package dev.cairn.mpi;

import java.nio.ByteBuffer;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;
import org.jspecify.annotations.Nullable;

/** A communicator of Open MPI, through its Java bindings. */
final class BindingsComm implements MpiComm {
  private final Comm comm;
  private final int rank;
  private final int size;

  private BindingsComm(Comm comm) throws MPIException {
    this.comm = comm;
    this.rank = comm.getRank();
    this.size = comm.getSize();
  }

  /** Collective: duplicates {@code comm}, so that messages of other code are never received. */
  static BindingsComm over(Comm comm) {
    try {
      requireStarted();
      Comm copy = comm.dup();
      // Errors are thrown instead of ending the process.
      copy.setErrhandler(MPI.ERRORS_RETURN);
      return new BindingsComm(copy);
    } catch (MPIException failure) {
      throw BindingsFailure.of("MPI_Comm_dup", MpiFailure.NO_RANK, failure);
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

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int largestTag() {
    try {
      // Only MPI_COMM_WORLD has this attribute.
      return (Integer) MPI.COMM_WORLD.getAttr(MPI.TAG_UB);
    } catch (MPIException failure) {
      throw failure("MPI_Comm_get_attr", failure);
    }
  }

  @Override
  public @Nullable Arrival probe(int source, int tag) {
    try {
      Status status = comm.iProbe(source == ANY_SOURCE ? MPI.ANY_SOURCE : source, tag);
      return status == null
          ? null
          : new Arrival(status.getSource(), status.getTag(), status.getCount(MPI.BYTE));
    } catch (MPIException failure) {
      throw failure("MPI_Iprobe", failure);
    }
  }

  @Override
  public Transfer receive(ByteBuffer part, Arrival arrived) {
    int source = arrived.source();
    try {
      Request request = comm.iRecv(part, arrived.byteCount(), MPI.BYTE, source, arrived.tag());
      return () -> isReceived(request, source);
    } catch (MPIException failure) {
      throw failure("MPI_Irecv from rank " + source, failure);
    }
  }

  private boolean isReceived(Request request, int source) {
    try {
      return request.test();
    } catch (MPIException failure) {
      throw failure("MPI_Irecv from rank " + source, failure);
    }
  }

  @Override
  public Transfer send(ByteBuffer part, int byteCount, int target, int tag) {
    try {
      Request request = comm.iSend(part, byteCount, MPI.BYTE, target, tag);
      return () -> isDone(request);
    } catch (MPIException failure) {
      throw failure("MPI_Isend of " + byteCount + " bytes to rank " + target, failure);
    }
  }

  private boolean isDone(Request request) {
    try {
      return request.test();
    } catch (MPIException failure) {
      throw failure("MPI_Test", failure);
    }
  }

  @Override
  public void abort(int exitCode) {
    try {
      comm.abort(exitCode);
    } catch (MPIException failure) {
      throw failure("MPI_Abort", failure);
    }
  }

  @Override
  public void free() {
    try {
      comm.free();
    } catch (MPIException failure) {
      throw failure("MPI_Comm_free", failure);
    }
  }

  @Override
  public boolean isMpiFinalized() {
    try {
      return MPI.isFinalized();
    } catch (MPIException failure) {
      throw failure("MPI_Finalized", failure);
    }
  }

  @Override
  public String processorName() {
    try {
      return MPI.getProcessorName();
    } catch (MPIException failure) {
      throw failure("MPI_Get_processor_name", failure);
    }
  }

  @Override
  public String toString() {
    return "Open MPI's Java bindings";
  }

  private MpiFailure failure(String call, MPIException cause) {
    return BindingsFailure.of(call, rank, cause);
  }
}
