// Proved by AgreementSpec, LoopsSpec, SaveScheduleSpec, DeadlineSpec, KillSpec.

/**
 * A run of a program: when it saves, the outcome of each save, requests from outside, and the end
 * of its job.
 */
@NullMarked
package dev.cairn.run;

import org.jspecify.annotations.NullMarked;
