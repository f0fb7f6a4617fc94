// Proved by CrashSpec, DiscoverySpec, RetentionSpec, StoreLockSpec, SabotageSpec.

/** The directory of checkpoints: saves and their manifests, the lock, discovery and retention. */
@NullMarked
package dev.cairn.store;

import org.jspecify.annotations.NullMarked;
