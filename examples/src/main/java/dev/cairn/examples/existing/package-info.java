/**
 * A code that existed before Cairn, and what becomes of it. It opens files of its own, as codes do.
 */
@NullMarked
package dev.cairn.examples.existing;

import org.jspecify.annotations.NullMarked;
