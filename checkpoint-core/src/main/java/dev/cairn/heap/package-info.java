// Proved by HeapDumpSpec, HeapComparisonSpec, DeclaredStateSpec.

/**
 * Heap dumps of two runs of a program, and its class files: reads them, and finds what differs
 * between the dumps. Knows no checkpoints.
 */
@NullMarked
package dev.cairn.heap;

import org.jspecify.annotations.NullMarked;
