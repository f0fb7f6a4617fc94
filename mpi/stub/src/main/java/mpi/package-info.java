/**
 * The part of Open MPI's Java bindings that Cairn and its examples use, without a body: the
 * compiler needs no {@code mpi.jar}, and a process gets the real one from its class path. A spec
 * compares each member with the real jar.
 */
package mpi;
