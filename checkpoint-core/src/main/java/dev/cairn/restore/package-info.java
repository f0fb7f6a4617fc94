// Proved by RestoreCallsSpec, RestoreOrderSpec, RandomFaultsSpec, GoldenSpec.

/**
 * Restores state: finds a good save, compares it with the declarations, and moves each part to its
 * rank.
 */
@NullMarked
package dev.cairn.restore;

import org.jspecify.annotations.NullMarked;
