/**
 * Random numbers that need no state: {@link dev.cairn.random.RandomStreams} computes each from a
 * seed and from what it is for. So they are the same on any number of ranks, and after any restart.
 */
@NullMarked
package dev.cairn.random;

import org.jspecify.annotations.NullMarked;
