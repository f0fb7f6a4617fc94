package dev.cairn.mpi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.mpi.MpiFamily.Predefined;
import dev.cairn.mpi.NativeMpi.Handle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** MPI as a program calls it that has foreign functions of its own. */
final class ForeignProgram {
  private final NativeMpi mpi = NativeMpi.firstOf(LibraryCandidates.of(null, System.getenv()));
  private final Arena arena = Arena.ofAuto();

  void start() {
    MemorySegment none = MemorySegment.NULL;
    int ignored = mpi.asked("MPI_Init_thread", -1, none, none, mpi.family().threadFunneled());
  }

  void finish() {
    mpi.call("MPI_Finalize", -1);
  }

  long world() {
    return mpi.predefined(Predefined.COMM_WORLD);
  }

  int rank(long comm) {
    return mpi.asked("MPI_Comm_rank", -1, new Handle(comm));
  }

  long split(int color, int key) {
    MemorySegment slot = arena.allocate(JAVA_LONG);
    mpi.call("MPI_Comm_split", -1, new Handle(world()), color, key, slot);
    return mpi.family().read(slot);
  }

  /** Returns what waits until the message may be forgotten: a rank may send to itself. */
  Runnable send(long comm, byte value, int target, int tag) {
    MemorySegment message = arena.allocateFrom(JAVA_BYTE, value);
    MemorySegment request = arena.allocate(JAVA_LONG);
    MemorySegment status = arena.allocate(mpi.family().statusSize(), Long.BYTES);
    Handle bytes = new Handle(mpi.predefined(Predefined.BYTE));
    mpi.call("MPI_Isend", -1, message, 1, bytes, target, tag, new Handle(comm), request);
    return () -> mpi.call("MPI_Wait", -1, request, status);
  }

  byte receive(long comm, int source, int tag) {
    MemorySegment message = arena.allocate(JAVA_BYTE);
    MemorySegment status = arena.allocate(mpi.family().statusSize(), Long.BYTES);
    Handle bytes = new Handle(mpi.predefined(Predefined.BYTE));
    mpi.call("MPI_Recv", -1, message, 1, bytes, source, tag, new Handle(comm), status);
    return message.get(JAVA_BYTE, 0);
  }
}
