// Proved by DeadlineSpec, JobSurroundingsSpec.

/** The job of a program: when it ends, and how long its saves may take. */
@NullMarked
package dev.cairn.job;

import org.jspecify.annotations.NullMarked;
