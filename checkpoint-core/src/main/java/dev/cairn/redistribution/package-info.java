// Proved by FieldPlanSpec, CellDigestSpec, ImageSpec.

/**
 * From the boxes of writers to the boxes of readers: {@link dev.cairn.redistribution.FieldPlan}
 * assigns each frame a reader, and its cells their receivers. A pure plan, which every rank
 * computes alike without a message; not exported.
 */
@NullMarked
package dev.cairn.redistribution;

import org.jspecify.annotations.NullMarked;
