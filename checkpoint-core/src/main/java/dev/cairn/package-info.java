// Proved by SimulateSpec, CheckpointsSpec, OpeningSpec, WrongUsesSpec, GoldenSpec.

/** Saves the state of a parallel program and restores it on any number of ranks. */
@NullMarked
package dev.cairn;

import org.jspecify.annotations.NullMarked;
