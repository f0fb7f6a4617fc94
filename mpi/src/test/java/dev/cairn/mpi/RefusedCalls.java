package dev.cairn.mpi;

import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Calls that MPI refuses, each for another reason; prints what is said of them. */
public final class RefusedCalls {
  private static final int SELF = 0;
  private static final int TAG = 7;

  private final MpiPort port;
  private final ByteBuffer part = ByteBuffer.allocateDirect(100);

  private RefusedCalls(MpiPort port) {
    this.port = port;
  }

  /** For one process alone. */
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    MpiPort port = MpiPort.over(MPI.COMM_WORLD);
    RefusedCalls calls = new RefusedCalls(port);
    print("no such rank", () -> calls.sendTo(1, TAG, 10));
    print("no such tag", () -> calls.sendTo(SELF, -5, 10));
    print("no such size", () -> calls.sendTo(SELF, TAG, -1));
    print("longer than announced", calls::receiveMoreThanAnnounced);
    print("no memory", () -> fail(MPI.ERR_NO_MEM, "MPI_ERR_NO_MEM: out of memory"));
    print("another failure", () -> fail(MPI.ERR_OTHER, "MPI_ERR_OTHER: known error not in list"));
    port.close();
    MPI.Finalize();
  }

  private static void print(String what, Runnable call) {
    try {
      call.run();
      System.out.println(what + ": taken");
    } catch (MpiFailure failure) {
      System.out.println(what + ": " + failure.getMessage());
    }
  }

  private void sendTo(int target, int tag, int byteCount) {
    port.send(part, byteCount, target, tag);
  }

  /** What was announced is a message that has been received already. */
  private void receiveMoreThanAnnounced() {
    sendTo(SELF, TAG, 4);
    Status announced = awaited();
    port.receive(part.clear(), announced);
    sendTo(SELF, TAG, 100);
    port.receive(part.clear(), announced);
  }

  /** What MPI would throw, for failures to which it cannot be brought here. */
  private static void fail(int errorClass, String text) {
    try {
      Constructor<MPIException> thrown =
          MPIException.class.getDeclaredConstructor(int.class, int.class, String.class);
      thrown.setAccessible(true);
      throw thrown.newInstance(errorClass, errorClass, text);
    } catch (MPIException failure) {
      throw MpiFailure.of("MPI_Isend of 100 bytes to rank 0", SELF, failure);
    } catch (ReflectiveOperationException other) {
      throw new LinkageError("Open MPI's exceptions are made in another way now", other);
    }
  }

  private Status awaited() {
    Status arrived = port.probe(SELF, TAG);
    while (arrived == null) {
      arrived = port.probe(SELF, TAG);
    }
    return arrived;
  }
}
