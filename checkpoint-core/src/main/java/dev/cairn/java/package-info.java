// Proved by BlockingRanksSpec, ThreadsOfFunctionsSpec.

/** The API for programs that block: Java, and Kotlin without coroutines. */
@NullMarked
package dev.cairn.java;

import org.jspecify.annotations.NullMarked;
