// Proved by SaveCallsSpec, LostCommitSpec, SaveCrashSpec, AsyncFaultsSpec.

/** Makes a save: writes the items of each rank, and lists them in the manifest. */
@NullMarked
package dev.cairn.save;

import org.jspecify.annotations.NullMarked;
