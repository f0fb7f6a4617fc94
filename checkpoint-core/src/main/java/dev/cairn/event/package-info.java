// Proved by EventFileSpec, TypedFailuresSpec.

/** Events and their listeners, outcomes of saves, exceptions and their exit codes. */
@NullMarked
package dev.cairn.event;

import org.jspecify.annotations.NullMarked;
