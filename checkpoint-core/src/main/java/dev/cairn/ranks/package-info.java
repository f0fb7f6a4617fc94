/** Starts ranks: coroutines in this process, or one in each process of a launcher. */
@NullMarked
package dev.cairn.ranks;

import org.jspecify.annotations.NullMarked;
