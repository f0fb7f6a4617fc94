// Proved by FramePoolSpec, SnapshotMemorySpec, CheckpointDamageSpec.

/**
 * What is in a checkpoint: its tables of contents, its index, and its frames, verified as they are
 * read.
 */
@NullMarked
package dev.cairn.checkpoint;

import org.jspecify.annotations.NullMarked;
