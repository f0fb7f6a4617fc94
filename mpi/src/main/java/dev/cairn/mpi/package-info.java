/** Open MPI as the transport between ranks. It knows nothing of files or state. */
@NullMarked
package dev.cairn.mpi;

import org.jspecify.annotations.NullMarked;
