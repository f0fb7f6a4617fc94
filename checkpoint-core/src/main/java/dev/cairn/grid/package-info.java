// Proved by BoxSpec, DecompositionSpec, RandomStreamsSpec.

/**
 * The geometry of global arrays: their {@link dev.cairn.grid.Shape}, the {@link dev.cairn.grid.Box
 * boxes} of cells that ranks have, and ready-made {@link dev.cairn.grid.Decomposition
 * decompositions} into such boxes.
 */
@NullMarked
package dev.cairn.grid;

import org.jspecify.annotations.NullMarked;
