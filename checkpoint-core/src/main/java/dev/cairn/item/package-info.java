// Proved by AddedKindSpec, TablesSpec, ReadBackSpec, KeptAsideSpec.

/** The kinds of state: how each is captured for a save, and assigned at a restore. */
@NullMarked
package dev.cairn.item;

import org.jspecify.annotations.NullMarked;
