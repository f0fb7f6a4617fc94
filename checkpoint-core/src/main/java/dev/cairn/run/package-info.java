// Proved by AgreementSpec, LoopsSpec, SaveScheduleSpec, KillSpec.

/** A run of a program: when it saves, the outcome of each save, and requests from outside. */
@NullMarked
package dev.cairn.run;

import org.jspecify.annotations.NullMarked;
