// Proved by RestartTrialSpec, RestartFindingsSpec, ForgottenStateSpec.

/**
 * Tries restarts of a program in tests: it is stopped at a step, and continued on other numbers of
 * ranks.
 */
@NullMarked
package dev.cairn.testing;

import org.jspecify.annotations.NullMarked;
