// Proved by InProcessCommunicatorSpec, ReplaySpec, RunSpec.

/**
 * The communicator, and ranks that are coroutines of one process, in real time or in an order drawn
 * from a seed.
 */
@NullMarked
package dev.cairn.comm;

import org.jspecify.annotations.NullMarked;
