// Proved by ParallelFixtureSpec, SionTestsSpec, RandomFaultsSpec.

/** Ranks write and read a multifile together. */
@NullMarked
package dev.cairn.multifile;

import org.jspecify.annotations.NullMarked;
