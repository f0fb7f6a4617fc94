// Proved by ExplainSpec, DrainVerbSpec, RecoverSpec, RecoverCrashSpec.

/** The command cairn. */
@NullMarked
package dev.cairn.cli;

import org.jspecify.annotations.NullMarked;
