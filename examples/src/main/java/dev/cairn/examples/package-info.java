/** Programs that show how Cairn is used, and the benchmarks. */
@NullMarked
package dev.cairn.examples;

import org.jspecify.annotations.NullMarked;
