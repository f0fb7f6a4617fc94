package dev.cairn.mpi;

import dev.cairn.ranks.Transport;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Messages between processes of MPI, over a communicator of its own. Only the thread that created
 * it may use it.
 *
 * <p>No call blocks inside MPI. It polls at growing intervals, so that ranks that share a core
 * leave it to those with work.
 */
final class MpiTransport implements Transport {
  /**
   * A rank polls without a pause until both are over. The time keeps a fast MPI from giving up
   * before a message can be there. The number counts where a poll is long because ranks share a
   * core.
   */
  private static final long EAGER_NANOS = 100_000;

  private static final int EAGER_POLLS = 50;

  /**
   * A pause takes this part of the time waited so far: a message is seen that much later at most.
   */
  private static final int PAUSE_PART = 8;

  private static final long LONGEST_PAUSE_NANOS = 500_000;
  private static final int ABORTED = 1;

  private final MpiPort port;
  private final int largestTag;
  private final String host;
  private final MpiOutbox outbox;
  private final MpiInbox inbox;
  private final Runnable afterwards;
  private final Runnable abandonment;

  private MpiTransport(MpiComm comm, int largestTag, Runnable afterwards, Runnable abandonment) {
    MpiParts parts = new MpiParts();
    this.port = new MpiPort(comm);
    this.largestTag = largestTag;
    this.host = hostName(comm);
    this.afterwards = afterwards;
    this.abandonment = abandonment;
    this.outbox = new MpiOutbox(port, parts);
    this.inbox = new MpiInbox(port, parts);
  }

  /** Collective: among all processes; closing it ends MPI. */
  static MpiTransport over(MpiWorld world) {
    return over(world, world.comm().largestTag());
  }

  /** The same with a smaller largest tag, for networks that support no larger ones. */
  static MpiTransport over(MpiWorld world, int largestTag) {
    return new MpiTransport(world.comm(), largestTag, world.finish(), world.abandon());
  }

  /** Collective: among the processes of a communicator whose owner has started MPI and ends it. */
  static MpiTransport over(MpiComm comm) {
    return new MpiTransport(comm, comm.largestTag(), () -> {}, () -> {});
  }

  @Override
  public int getRank() {
    return port.rank();
  }

  @Override
  public int getSize() {
    return port.size();
  }

  @Override
  public String getHost() {
    return host;
  }

  @Override
  public void send(int target, int tag, ByteBuffer payload) {
    outbox.send(target, tag, mpiTag(tag), payload.duplicate());
  }

  @Override
  public @Nullable ByteBuffer receive(int source, int tag, long nanos) {
    int mpiSource = source < 0 ? MpiComm.ANY_SOURCE : source;
    long begin = System.nanoTime();
    long arrived = inbox.progress();
    for (int polls = 0; ; polls++) {
      outbox.reclaim();
      ByteBuffer payload = inbox.poll(mpiSource, tag, mpiTag(tag));
      if (payload != null) {
        return payload;
      }
      if (arrived != inbox.progress()) {
        begin = System.nanoTime();
        arrived = inbox.progress();
        polls = 0;
      }
      long waited = System.nanoTime() - begin;
      if (waited >= nanos) {
        return null;
      }
      pause(polls, waited, nanos - waited);
    }
  }

  @Override
  public void abort(String reason) {
    System.err.println(reason);
    System.err.flush();
    port.abort(ABORTED);
  }

  /** Collective: what was sent is on its way when this returns. Does nothing the second time. */
  @Override
  public void close() {
    if (port.isClosed()) {
      return;
    }
    long begin = System.nanoTime();
    for (int polls = 0; !outbox.isEmpty(); polls++) {
      outbox.reclaim();
      pause(polls, System.nanoTime() - begin, LONGEST_PAUSE_NANOS);
    }
    port.close();
    afterwards.run();
  }

  @Override
  public void abandon() {
    abandonment.run();
  }

  /** The MPI that carries the messages. */
  @Override
  public String toString() {
    return port.toString();
  }

  /** Tags have 31 bits here; some networks take 23. */
  private int mpiTag(int tag) {
    return (int) (tag % (largestTag + 1L));
  }

  /** MPI has no notification of arriving messages, so a waiting rank polls with pauses. */
  @SuppressWarnings("ThreadPriorityCheck") // The sender may be waiting for this very core.
  private static void pause(int polls, long waitedNanos, long leftNanos) {
    if (polls < EAGER_POLLS || waitedNanos < EAGER_NANOS) {
      Thread.yield();
    } else {
      long nanos = Math.min(waitedNanos / PAUSE_PART, LONGEST_PAUSE_NANOS);
      LockSupport.parkNanos(Math.min(nanos, leftNanos));
    }
  }

  /** The operating system's host name, or MPI's processor name if there is none. */
  private static String hostName(MpiComm comm) {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException withoutName) {
      return comm.processorName();
    }
  }
}
