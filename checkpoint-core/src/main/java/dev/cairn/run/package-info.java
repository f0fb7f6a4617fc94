/**
 * A run of a program: when it saves, what comes of each save, and what it is asked from outside.
 */
@NullMarked
package dev.cairn.run;

import org.jspecify.annotations.NullMarked;
