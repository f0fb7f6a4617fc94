package dev.cairn.mpi;

import dev.cairn.java.BlockingCommunicator;
import mpi.Comm;

/**
 * Cairn's ranks in a program that has started MPI itself, through Open MPI's Java bindings. They
 * are the processes of a communicator of the program. {@link ForeignMpi} does the same for programs
 * that call the C library.
 *
 * <p>Cairn sends its messages over a copy of that communicator, so none of them is mixed up with
 * the program's own. It never starts or ends MPI. Every call of MPI happens inside a call of {@link
 * #ranks}, on the calling thread. That must always be the same thread; calls from another one are
 * refused. Cairn does not communicate in the background, and calls the program's code on the same
 * thread.
 *
 * <p>The creator closes it before MPI_Finalize.
 */
public final class Cairn implements AutoCloseable {
  private final MpiTransport transport;
  private final BlockingCommunicator ranks;

  private Cairn(MpiTransport transport) {
    this.transport = transport;
    this.ranks = BlockingCommunicator.connect(transport);
  }

  /**
   * Collective over {@code comm}, which stays the caller's.
   *
   * @throws IllegalStateException before {@code MPI.Init} and after {@code MPI.Finalize}
   */
  public static Cairn over(Comm comm) {
    return new Cairn(MpiTransport.over(BindingsComm.over(comm)));
  }

  /** This process among the others. */
  public BlockingCommunicator ranks() {
    return ranks;
  }

  /** Ends all processes of the job because of {@code reason}, which is printed. */
  public void abort(String reason) {
    transport.abort(reason);
  }

  /**
   * Collective: frees the copy of the communicator. After that every call of {@link #ranks} is
   * refused with an {@link IllegalStateException}, and closing it again does nothing.
   */
  @Override
  public void close() {
    transport.close();
  }
}
