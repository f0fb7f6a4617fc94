package dev.cairn.mpi;

/**
 * MPI as Cairn has started it.
 *
 * @param comm of all processes
 * @param finish collective: ends MPI, when {@code comm} was freed
 * @param abandon lets the process end while {@code finish} does not return, on any thread
 */
record MpiWorld(MpiComm comm, Runnable finish, Runnable abandon) {}
