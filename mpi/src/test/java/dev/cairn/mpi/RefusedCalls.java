package dev.cairn.mpi;

import dev.cairn.mpi.MpiComm.Arrival;
import dev.cairn.mpi.MpiComm.Transfer;
import java.nio.ByteBuffer;

/** Calls that MPI refuses, each for another reason; prints what is said of them. */
public final class RefusedCalls {
  static final int SELF = 0;
  private static final int TAG = 7;

  private final MpiPort port;
  private final ByteBuffer sent = ByteBuffer.allocateDirect(100);
  private final ByteBuffer received = ByteBuffer.allocateDirect(100);

  private RefusedCalls(MpiPort port) {
    this.port = port;
  }

  /** For one process alone, through libmpi. */
  public static void main(String[] args) {
    print(ForeignLibrary.start());
  }

  static void print(MpiWorld world) {
    MpiPort port = new MpiPort(world.comm());
    RefusedCalls calls = new RefusedCalls(port);
    print("no such rank", () -> calls.sendTo(1, TAG, 10));
    print("no such tag", () -> calls.sendTo(SELF, -5, 10));
    print("no such size", () -> calls.sendTo(SELF, TAG, -1));
    print("longer than announced", calls::receiveMoreThanAnnounced);
    port.close();
    world.finish().run();
  }

  static void print(String what, Runnable call) {
    try {
      call.run();
      System.out.println(what + ": taken");
    } catch (MpiFailure failure) {
      System.out.println(what + ": " + failure.getMessage());
    }
  }

  private void sendTo(int target, int tag, int byteCount) {
    port.send(sent, byteCount, target, tag);
  }

  /** What was announced is a message that has been received already. */
  private void receiveMoreThanAnnounced() {
    sendTo(SELF, TAG, 4);
    Arrival announced = awaited();
    receive(announced);
    sendTo(SELF, TAG, 100);
    receive(announced);
  }

  private void receive(Arrival announced) {
    Transfer transfer = port.receive(received, announced);
    while (!port.isDone(transfer)) {
      Thread.onSpinWait();
    }
  }

  private Arrival awaited() {
    Arrival arrived = port.probe(SELF, TAG);
    while (arrived == null) {
      arrived = port.probe(SELF, TAG);
    }
    return arrived;
  }
}
