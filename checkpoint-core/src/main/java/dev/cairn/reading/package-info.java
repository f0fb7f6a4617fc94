// Proved by StoredCheckpointsSpec, StoredItemsSpec, VerificationSpec.

/**
 * Reads checkpoints from any program, without ranks and without a lock: {@link
 * dev.cairn.reading.StoredCheckpoints} lists the saves in a directory and opens one, and each
 * {@link dev.cairn.reading.StoredItem} returns its data, verified as they are read.
 */
@NullMarked
package dev.cairn.reading;

import org.jspecify.annotations.NullMarked;
