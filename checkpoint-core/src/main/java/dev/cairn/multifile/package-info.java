// Proved by ParallelFixtureSpec, SionTestsSpec, RandomFaultsSpec, WriteBatchSpec.

/** Ranks write and read a multifile together. */
@NullMarked
package dev.cairn.multifile;

import org.jspecify.annotations.NullMarked;
