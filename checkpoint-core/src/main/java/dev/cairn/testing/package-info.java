/**
 * Tries restarts of a program in tests: it is stopped at each step, and goes on with other ranks.
 */
@NullMarked
package dev.cairn.testing;

import org.jspecify.annotations.NullMarked;
