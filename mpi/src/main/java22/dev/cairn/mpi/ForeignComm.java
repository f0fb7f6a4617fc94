package dev.cairn.mpi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.mpi.MpiFamily.Predefined;
import dev.cairn.mpi.NativeMpi.Handle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A communicator of an MPI whose C library is called through Java's foreign functions. */
final class ForeignComm implements MpiComm {
  /** How long MPI_Abort may take. */
  private static final long ABORT_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final NativeMpi mpi;
  private final MpiFamily family;
  private final long comm;
  private final long bytes;
  private final int anySource;
  private final int rank;
  private final int size;

  private final MethodHandle iprobe;
  private final MethodHandle getCount;
  private final MethodHandle irecv;
  private final MethodHandle isend;
  private final MethodHandle test;
  private final MethodHandle finalized;

  /** What the functions write into. One thread at a time calls those that share a segment. */
  private final MemorySegment flag;

  private final MemorySegment count;
  private final MemorySegment request;
  private final MemorySegment status;
  private final MemorySegment hasEnded;

  private ForeignComm(NativeMpi mpi, long comm) {
    this.mpi = mpi;
    this.family = mpi.family();
    this.comm = comm;
    this.bytes = mpi.predefined(Predefined.BYTE);
    this.anySource = family.anySource();
    this.rank = mpi.asked("MPI_Comm_rank", MpiFailure.NO_RANK, new Handle(comm));
    this.size = mpi.asked("MPI_Comm_size", rank, new Handle(comm));
    var handle = mpi.handle();
    iprobe = mpi.function("MPI_Iprobe", JAVA_INT, JAVA_INT, handle, ADDRESS, ADDRESS);
    getCount = mpi.function("MPI_Get_count", ADDRESS, handle, ADDRESS);
    irecv =
        mpi.function("MPI_Irecv", ADDRESS, JAVA_INT, handle, JAVA_INT, JAVA_INT, handle, ADDRESS);
    isend =
        mpi.function("MPI_Isend", ADDRESS, JAVA_INT, handle, JAVA_INT, JAVA_INT, handle, ADDRESS);
    test = mpi.function("MPI_Test", ADDRESS, ADDRESS, ADDRESS);
    finalized = mpi.function("MPI_Finalized", ADDRESS);
    Arena arena = Arena.ofAuto();
    flag = arena.allocate(JAVA_INT);
    count = arena.allocate(JAVA_INT);
    hasEnded = arena.allocate(JAVA_INT);
    request = arena.allocate(JAVA_LONG);
    status = arena.allocate(family.statusSize(), Long.BYTES);
  }

  /** Collective: duplicates {@code comm}, so that messages of other code are never received. */
  static ForeignComm over(NativeMpi mpi, long comm) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment slot = arena.allocate(JAVA_LONG);
      mpi.call("MPI_Comm_dup", MpiFailure.NO_RANK, new Handle(comm), slot);
      long copy = mpi.family().read(slot);
      // Errors are returned instead of ending the process.
      Handle errorsReturn = new Handle(mpi.predefined(Predefined.ERRORS_RETURN));
      mpi.call("MPI_Comm_set_errhandler", MpiFailure.NO_RANK, new Handle(copy), errorsReturn);
      return new ForeignComm(mpi, copy);
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
    // Only MPI_COMM_WORLD has this attribute.
    Handle world = new Handle(mpi.predefined(Predefined.COMM_WORLD));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(ADDRESS);
      mpi.call("MPI_Comm_get_attr", rank, world, family.tagUb(), value, flag);
      if (flag.get(JAVA_INT, 0) == 0) {
        throw new IllegalStateException(
            "%s does not tell its largest tag (MPI_TAG_UB): please report this.".formatted(mpi));
      }
      return value.get(ADDRESS, 0).reinterpret(Integer.BYTES).get(JAVA_INT, 0);
    }
  }

  @Override
  public @Nullable Arrival probe(int source, int tag) {
    int code;
    try {
      int wanted = source == ANY_SOURCE ? anySource : source;
      code = (int) iprobe.invokeExact(wanted, tag, comm, flag, status);
    } catch (Throwable failure) {
      throw NativeLibrary.unexpected("MPI_Iprobe", failure);
    }
    require(code, "MPI_Iprobe");
    return flag.get(JAVA_INT, 0) == 0 ? null : arrival();
  }

  private Arrival arrival() {
    int code;
    try {
      code = (int) getCount.invokeExact(status, bytes, count);
    } catch (Throwable failure) {
      throw NativeLibrary.unexpected("MPI_Get_count", failure);
    }
    require(code, "MPI_Get_count");
    return new Arrival(family.source(status), family.tag(status), count.get(JAVA_INT, 0));
  }

  @Override
  public Transfer receive(ByteBuffer part, Arrival arrived) {
    int code;
    try {
      code =
          (int)
              irecv.invokeExact(
                  whole(part),
                  arrived.byteCount(),
                  bytes,
                  arrived.source(),
                  arrived.tag(),
                  comm,
                  request);
    } catch (Throwable failure) {
      throw NativeLibrary.unexpected("MPI_Irecv", failure);
    }
    requireReceived(code, arrived.source());
    long started = family.read(request);
    return () -> isReceived(started, arrived.source());
  }

  private boolean isReceived(long started, int source) {
    requireReceived(test(started), source);
    return flag.get(JAVA_INT, 0) != 0;
  }

  private void requireReceived(int code, int source) {
    if (code != 0) {
      throw mpi.failure("MPI_Irecv from rank " + source, rank, code);
    }
  }

  @Override
  public Transfer send(ByteBuffer part, int byteCount, int target, int tag) {
    int code;
    try {
      code = (int) isend.invokeExact(whole(part), byteCount, bytes, target, tag, comm, request);
    } catch (Throwable failure) {
      throw NativeLibrary.unexpected("MPI_Isend", failure);
    }
    if (code != 0) {
      throw mpi.failure("MPI_Isend of " + byteCount + " bytes to rank " + target, rank, code);
    }
    long started = family.read(request);
    return () -> isSent(started);
  }

  private boolean isSent(long started) {
    require(test(started), "MPI_Test");
    return flag.get(JAVA_INT, 0) != 0;
  }

  /** Whether the request is done is in {@link #flag} then. */
  private int test(long started) {
    try {
      family.write(request, started);
      return (int) test.invokeExact(request, flag, status);
    } catch (Throwable failure) {
      throw NativeLibrary.unexpected("MPI_Test", failure);
    }
  }

  /** A direct buffer from its beginning, wherever it stands. */
  private static MemorySegment whole(ByteBuffer part) {
    return MemorySegment.ofBuffer(part.duplicate().clear());
  }

  private void require(int code, String call) {
    if (code != 0) {
      throw mpi.failure(call, rank, code);
    }
  }

  /**
   * MPICH's MPI_Abort does not return while another process stands still. Then this process ends by
   * itself, and the launcher ends the others.
   */
  @Override
  public void abort(int exitCode) {
    Thread end = new Thread(() -> endAfterPatience(exitCode), "end of the job");
    end.setDaemon(true);
    end.start();
    mpi.call("MPI_Abort", rank, new Handle(comm), exitCode);
  }

  private static void endAfterPatience(int exitCode) {
    long end = System.nanoTime() + ABORT_NANOS;
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
    NativeLibrary.endProcess(exitCode);
  }

  @Override
  public void free() {
    family.write(request, comm);
    mpi.call("MPI_Comm_free", rank, request);
  }

  @Override
  public boolean isMpiFinalized() {
    int code;
    try {
      code = (int) finalized.invokeExact(hasEnded);
    } catch (Throwable failure) {
      throw NativeLibrary.unexpected("MPI_Finalized", failure);
    }
    require(code, "MPI_Finalized");
    return hasEnded.get(JAVA_INT, 0) != 0;
  }

  @Override
  public String processorName() {
    return mpi.told("MPI_Get_processor_name", rank);
  }

  @Override
  public String toString() {
    return mpi.toString();
  }
}
