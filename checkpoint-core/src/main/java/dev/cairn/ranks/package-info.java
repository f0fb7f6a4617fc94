// Proved by TransportCommunicatorSpec, EveryRankSpec.

/**
 * Starts ranks, as coroutines or one in each process of a launcher; transports between processes.
 */
@NullMarked
package dev.cairn.ranks;

import org.jspecify.annotations.NullMarked;
