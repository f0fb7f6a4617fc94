/**
 * A disk in memory that can crash, for tests. Start with {@link
 * dev.cairn.sion.store.simulated.SimulatedDisk}.
 */
@NullMarked
package dev.cairn.sion.store.simulated;

import org.jspecify.annotations.NullMarked;
