package dev.cairn.mpi;

/**
 * MPI as Cairn has started it.
 *
 * @param comm of all processes
 * @param finish collective: ends MPI, when {@code comm} was freed
 */
record MpiWorld(MpiComm comm, Runnable finish) {}
