/** MPI as the transport between ranks. It does not depend on files or state. */
@NullMarked
package dev.cairn.mpi;

import org.jspecify.annotations.NullMarked;
