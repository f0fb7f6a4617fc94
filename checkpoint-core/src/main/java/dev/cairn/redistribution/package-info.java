/**
 * From the boxes of those who wrote to the boxes of those who read: {@link
 * dev.cairn.redistribution.FieldPlan} says who reads which frame and who gets which cells of it. A
 * pure plan, which every rank computes alike without a message; not exported.
 */
@NullMarked
package dev.cairn.redistribution;

import org.jspecify.annotations.NullMarked;
