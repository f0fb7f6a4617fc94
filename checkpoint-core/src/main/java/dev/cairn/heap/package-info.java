// Proved by HeapDumpSpec, HeapComparisonSpec, DeclaredStateSpec.

/**
 * Heap dumps of two runs of a program: reads them, and finds what differs between them. Knows no
 * checkpoints.
 */
@NullMarked
package dev.cairn.heap;

import org.jspecify.annotations.NullMarked;
