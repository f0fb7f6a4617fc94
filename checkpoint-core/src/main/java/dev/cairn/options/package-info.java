/** Options of a program: how and when checkpoints are written. */
@NullMarked
package dev.cairn.options;

import org.jspecify.annotations.NullMarked;
