// Proved by InProcessCommunicatorSpec, ReplaySpec, TransportCommunicatorSpec, MessageFieldsSpec.

/**
 * The communicator, and what starts ranks: coroutines of one process, in real time or in an order
 * drawn from a seed, or one in each process of a launcher; transports between processes.
 */
@NullMarked
package dev.cairn.ranks;

import org.jspecify.annotations.NullMarked;
