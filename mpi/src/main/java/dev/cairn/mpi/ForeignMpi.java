package dev.cairn.mpi;

import dev.cairn.java.BlockingCommunicator;

/**
 * Cairn's ranks in a program that has started MPI itself, through the C library. They are the
 * processes of a communicator of the program. The program may have called the library through
 * Java's foreign functions, or through native code of its own. It needs Java 22.
 *
 * <p>The rules are those of {@code Cairn}, which does the same for Open MPI's Java bindings: Cairn
 * sends over a copy of the communicator, never starts or ends MPI, and calls MPI only inside a call
 * of {@link #ranks}, on the calling thread, which must always be the same one. The creator closes
 * it before MPI_Finalize.
 */
public final class ForeignMpi implements AutoCloseable {
  private final MpiTransport transport;
  private final BlockingCommunicator ranks;

  private ForeignMpi(MpiTransport transport) {
    this.transport = transport;
    this.ranks = BlockingCommunicator.connect(transport);
  }

  /**
   * Collective over the communicator, which stays the caller's.
   *
   * @param handle an MPI_Comm as C has it: an address in Open MPI, an int in MPICH
   * @throws IllegalStateException before MPI_Init, after MPI_Finalize, and on another thread than
   *     MPI allows
   * @throws dev.cairn.event.TransportMissingException on Java 17 to 21, and if the library cannot
   *     be found
   */
  public static ForeignMpi over(long handle) {
    return new ForeignMpi(MpiTransport.over(ForeignLibrary.over(handle)));
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
